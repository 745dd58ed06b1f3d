import { writeFile } from 'node:fs/promises'
import { readSettings } from '../host/settings.ts'
import { changesBetween } from '../shared/enclave-change.ts'
import type { Proof } from '../shared/proof.ts'
import { msg } from '../shared/localized-text.ts'
import type { Verdict } from '../shared/verdict.ts'
import { failureOf, type ContractClient } from './client.ts'
import { failure, printFailure, withClient } from './with-client.ts'
import { changeLines, printVerdict, exitCodes, type VerifyOptions } from './print-verdict.ts'
import { verifySaved } from './verify-saved.ts'

/**
 * `sotto verify [file]`: verifies the enclave's evidence, live or saved, and prints each step. Returns the
 * exit code.
 */
export async function verify(file: string | undefined, options: VerifyOptions): Promise<number> {
  const { json, at, save } = options
  const misused =
    file !== undefined && save !== undefined
      ? msg('--save only works with live evidence. Leave out the file or --save.')
      : file === undefined && at !== undefined
        ? msg('--at only works with a saved file. Name the file or leave out --at.')
        : undefined
  if (misused !== undefined) {
    printFailure(failure('verify/argument', misused), json)
    return exitCodes.unusable
  }
  return file === undefined ? verifyLive(options) : verifySaved(file, options)
}

async function verifyLive({ json, save }: VerifyOptions): Promise<number> {
  try {
    const { verdict, proof, changed } = await withClient(await readSettings(), (client) =>
      verifyServing(client, save !== undefined),
    )
    const unsaved = proof && save !== undefined ? await saveProof(proof, save) : undefined
    printVerdict(verdict, json, [
      ...changed,
      ...(proof && unsaved === undefined ? [`Proof saved to ${save ?? ''}.`] : []),
    ])
    if (unsaved) printFailure(unsaved, false)
    if (!verdict.good) return exitCodes.refused
    return unsaved ? exitCodes.unusable : exitCodes.verified
  } catch (thrown) {
    const failed = failureOf(thrown)
    if (!failed) throw thrown
    printFailure(failed, json)
    // Evidence above the size limit is refused. Missing evidence can't be verified at all.
    return failed.code === 'attestation/evidence-too-large' ? exitCodes.refused : exitCodes.unusable
  }
}

async function verifyServing(
  { privacy }: ContractClient,
  saves: boolean,
): Promise<{ verdict: Verdict; proof?: Proof; changed: string[] }> {
  const verdict = await privacy.verify()
  const proof = saves ? await privacy.proof({}) : undefined
  const [current, before] = verdict.good
    ? (await privacy.history()).filter(({ enclaveHost }) => enclaveHost === verdict.enclaveHost)
    : []
  // Shown only once, when the enclave has just changed.
  const changed =
    current && before && current.sinceAt === verdict.verifiedAt
      ? changeLines(before.lastSeenAt, changesBetween(before, current))
      : []
  return { verdict, ...(proof && { proof }), changed }
}

/** Never overwrites a file. */
async function saveProof(proof: Proof, file: string): Promise<ReturnType<typeof failure> | undefined> {
  try {
    await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`, { flag: 'wx' })
    return undefined
  } catch (cause) {
    return failure(
      'proof/unwritable',
      cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
        ? msg('The file already exists.')
        : undefined,
    )
  }
}
