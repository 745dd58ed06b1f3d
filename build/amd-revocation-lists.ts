import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { amdRootsFromPem, readAmdList } from '../src/verifier/index.ts'
import { parseCrl } from '../src/verifier/x509/index.ts'
import { fetchAmdList } from '../src/core/gateway/channel/amd-list-lookup.ts'
import { createOutboundFetch } from '../src/host/outbound-fetch.ts'
import { sevProductSchema, type SevProduct } from '../src/shared/policy/sev-snp.ts'
import { AMD_KEY_SERVER } from '../src/shared/collateral-record.ts'

const TIMEOUT_MS = 30_000

interface ListUpdate {
  /** Has the roots that verify the lists, and the lists of the last release. */
  readonly folder: string
  /** An origin, without a slash at its end. */
  readonly server: string
  /** Unix ms. */
  readonly now: number
  /** Reports a shipped list that isn't the newest as a fault, and writes nothing. */
  readonly checkOnly: boolean
}

/**
 * Downloads AMD's revocation list of each product whose root is in the folder, verifies it against that
 * root, and writes it next to the root if it is newer than the existing one. A list that isn't good, or is
 * older, is never written.
 *
 * @returns the reasons against a release; empty if the lists are the newest
 */
export async function updateRevocationLists({
  folder,
  server,
  now,
  checkOnly,
}: ListUpdate): Promise<string[]> {
  const products = sevProductSchema.options.filter((product) => existsSync(rootFile(folder, product)))
  const outbound = createOutboundFetch()
  const faults = await Promise.all(
    products.map(async (product): Promise<string | undefined> => {
      const roots = amdRootsFromPem({ [product]: readFileSync(rootFile(folder, product), 'utf8') })
      const file = join(folder, `amd_crl_${product.toLowerCase()}.der`)
      const shipped = existsSync(file) ? readFileSync(file) : undefined
      try {
        const der = await fetchAmdList(outbound.fetch, server, product, AbortSignal.timeout(TIMEOUT_MS))
        if (shipped?.equals(der)) return undefined
        const list = readAmdList(der, roots, product, now)
        if ('code' in list) return `${product}: ${list.code}`
        if (shipped && list.version < parseCrl(shipped).thisUpdate)
          return `${product}: the server's list is older than the one that ships`
        if (checkOnly)
          return `${product}: AMD has a newer list: run npm run revocation-lists, and commit the result`
        writeFileSync(file, der)
        return undefined
      } catch (error) {
        return `${product}: ${error instanceof Error ? error.message : String(error)}`
      }
    }),
  )
  await outbound.close()
  return faults.filter((fault) => fault !== undefined)
}

function rootFile(folder: string, product: SevProduct): string {
  return join(folder, `ask_ark_${product.toLowerCase()}.pem`)
}

if (import.meta.main) {
  const faults = await updateRevocationLists({
    folder: join(import.meta.dirname, '../resources/trust'),
    server: `https://${AMD_KEY_SERVER}`,
    now: Date.now(),
    checkOnly: process.argv.includes('--check'),
  })
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
