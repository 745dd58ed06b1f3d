import { readFile, stat } from 'node:fs/promises'
import { judgeSavedEvidence, presetProfiles, readSettings } from '../host/index.ts'
import { failureLine, failureOf, throughDoor } from './door-client.ts'
import { printVerdict } from './print-verdict.ts'

/** Verified now; refused; nothing to judge; good only at the time that was asked for. */
export const exitCodes = { verified: 0, refused: 1, unusable: 2, onlyAtThatTime: 3 } as const

export interface VerifyOptions {
  readonly json: boolean
  /** Judge as of this time: only for a saved bundle. */
  readonly at?: string
  /** The preset whose policy a saved bundle is judged by. */
  readonly service: string
}

const MAX_FILE_BYTES = 64 * 1024 * 1024

/** `sotto verify [file]`: the enclave's evidence, live or saved, step by step. Returns the exit code. */
export async function verify(file: string | undefined, options: VerifyOptions): Promise<number> {
  return file === undefined ? verifyLive(options) : verifySaved(file, options)
}

async function verifyLive({ json, at }: VerifyOptions): Promise<number> {
  if (at !== undefined) return unusable('--at is for a saved bundle: live evidence is judged now.')
  try {
    const verdict = await throughDoor(readSettings(), (client) => client.privacy.verify())
    printVerdict(verdict, json)
    return verdict.good ? exitCodes.verified : exitCodes.refused
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (!failure) throw thrown
    // Evidence that is too large to be honest is a refusal; no evidence at all is nothing to judge.
    if (failure.code !== 'attestation/evidence-too-large') return unusable(failureLine(failure))
    process.stderr.write(`${failureLine(failure)}\n`)
    return exitCodes.refused
  }
}

async function verifySaved(file: string, { json, at, service }: VerifyOptions): Promise<number> {
  const asked = at === undefined ? undefined : parseTime(at)
  if (Number.isNaN(asked)) return unusable('--at takes a time such as 2026-02-01 or 2026-02-01T12:00:00Z.')
  const profile = (await presetProfiles()).find(({ id }) => id === service)
  if (!profile?.policy) return unusable(`There is no service “${service}” with a policy.`)
  let evidence: Uint8Array
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) return unusable('The file is larger than any evidence.')
    evidence = await readFile(file)
  } catch {
    return unusable('The file cannot be read.')
  }
  const { now, asOf } = await judgeSavedEvidence({ evidence }, profile.policy, asked)
  const shown = asOf ?? now
  if (shown.failure?.code === 'evidence/malformed' || shown.failure?.code === 'evidence/too-large') {
    printVerdict(shown, json)
    return exitCodes.unusable
  }
  printVerdict(shown, json, !now.good && shown.good ? 'Good at the time that was asked for, and no longer now.' : undefined)
  if (!shown.good) return exitCodes.refused
  return now.good ? exitCodes.verified : exitCodes.onlyAtThatTime
}

/** ISO 8601 with a zone, or a date alone (UTC). */
function parseTime(text: string): number {
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : NaN
}

function unusable(says: string): number {
  process.stderr.write(`${says}\n`)
  return exitCodes.unusable
}
