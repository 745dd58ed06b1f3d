import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { realEvidence } from '../verifier/evidence-folder.ts'
import { reportBytes, type Row } from './rows.ts'

const verifierModule = z.object({
  verifyAttestation: z.custom<(document: object, vcek: string) => Promise<unknown>>(
    (value) => typeof value === 'function',
  ),
  Verifier: z.custom<
    new (options: { configRepo: string }) => { verifyBundle(bundle: unknown): Promise<unknown> }
  >((value) => typeof value === 'function'),
})
const REPOSITORY = 'tinfoilsh/confidential-model-router'
const REPORT = 'https://tinfoil.sh/predicate/sev-snp-guest/v2'

/**
 * What Tinfoil's published verifier answers to a row: `accepts`, or its error. Undefined for a row that isn't its own.
 *
 * @param address of the installed package's module
 */
export async function askTinfoil({ evidence, at, other }: Row, address: string): Promise<string | undefined> {
  if (!other || other.by === 'dcap-qvl') return undefined
  const { Verifier, verifyAttestation } = verifierModule.parse(await import(address))
  return atTime(Date.parse(at), async () => {
    try {
      if (other.by === 'tinfoil-bundle')
        await new Verifier({ configRepo: REPOSITORY }).verifyBundle(
          JSON.parse(realEvidence(evidence).toString()),
        )
      else
        await verifyAttestation(
          { format: REPORT, body: gzipSync(reportBytes(other.report)).toString('base64') },
          realEvidence(other.vcek).toString('base64'),
        )
      return 'accepts'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })
}

/** Runs with the clock of this process at a time: the verifier takes no time as an argument. */
async function atTime<T>(now: number, run: () => Promise<T>): Promise<T> {
  const RealDate = globalThis.Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [now] : args) as Date,
    get: (target, name) => (name === 'now' ? () => now : (Reflect.get(target, name) as unknown)),
  })
  try {
    return await run()
  } finally {
    globalThis.Date = RealDate
  }
}
