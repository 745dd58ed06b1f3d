import { crc32, deflateRawSync } from 'node:zlib'

const [FULL_16, FULL_32] = [0xffff, 0xffff_ffff]

function numbers(...parts: readonly (readonly [bits: 16 | 32 | 64, value: number])[]): Buffer {
  return Buffer.concat(
    parts.map(([bits, value]) => {
      const bytes = Buffer.alloc(bits / 8)
      if (bits === 16) bytes.writeUInt16LE(value)
      else if (bits === 32) bytes.writeUInt32LE(value)
      else bytes.writeBigUInt64LE(BigInt(value))
      return bytes
    }),
  )
}

/**
 * A ZIP64 archive, as programs write it if they don't know the sizes before: every size and place is in the fields of 64 bits.
 *
 * @param flags 1 for an entry that is encrypted
 */
export function zip64Of(files: Readonly<Record<string, string>>, { flags = 0, method = 8 } = {}): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = method === 8 ? deflateRawSync(content) : content
    const path = Buffer.from(name)
    const common = numbers(
      [16, 45],
      [16, flags],
      [16, method],
      [16, 0],
      [16, 0x21],
      [32, crc32(content)],
      [32, FULL_32],
      [32, FULL_32],
      [16, path.length],
    )
    const sizes = numbers([16, 1], [16, 16], [64, content.length], [64, packed.length])
    const local = Buffer.concat([numbers([32, 0x04034b50]), common, numbers([16, 20]), path, sizes, packed])
    // Another field comes before, as programs have it for times.
    const other = numbers([16, 0x5455], [16, 1], [16, 0]).subarray(0, 5)
    const wide = numbers([16, 1], [16, 24], [64, content.length], [64, packed.length], [64, at])
    directory.push(
      Buffer.concat([
        numbers([32, 0x02014b50], [16, 45]),
        common,
        numbers([16, other.length + wide.length], [16, 0], [16, 0], [16, 0], [32, 0], [32, FULL_32]),
        path,
        other,
        wide,
      ]),
    )
    locals.push(local)
    at += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = directory.length
  return Buffer.concat([
    ...locals,
    ...directory,
    numbers([32, 0x06064b50], [64, 44], [16, 45], [16, 45], [32, 0], [32, 0]),
    numbers([64, count], [64, count], [64, size], [64, at]),
    numbers([32, 0x07064b50], [32, 0], [64, at + size], [32, 1]),
    numbers(
      [32, 0x06054b50],
      [16, 0],
      [16, 0],
      [16, FULL_16],
      [16, FULL_16],
      [32, FULL_32],
      [32, FULL_32],
      [16, 0],
    ),
  ])
}
