import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'

/** What the gzip bomb unpacks to: from about 64 KiB on the wire. */
const bombBytes = 64 * 1024 * 1024

/** How a document carries a report: as gzip. A bomb is the report followed by zeros. */
export async function pack(report: Buffer, bomb: boolean): Promise<Buffer> {
  if (!bomb) return gzipSync(report)
  const swollen = Buffer.alloc(bombBytes)
  swollen.set(report)
  return promisify(gzip)(swollen, { level: 9 })
}
