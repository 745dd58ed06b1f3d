import { parseStrictJson, type JsonValue } from '../../src/verifier/strict-json.ts'
import { MalformedInput, type Outcome, type StageRun } from './contract.ts'

type Stage = (input: JsonValue, run: StageRun) => Outcome | Promise<Outcome>

/** Each stage is loaded when it is asked for: a call is a process, and most need no Sigstore. */
const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  'verify-sigstore': async () => (await import('./stages/sigstore.ts')).verifySigstore,
  'verify-attestation-sev': async () => (await import('./stages/attestation-sev.ts')).verifyAttestationSev,
  'verify-attestation-tdx': async () => (await import('./stages/attestation-tdx.ts')).verifyAttestationTdx,
  'verify-hardware-measurements': async () =>
    (await import('./stages/hardware-measurements.ts')).verifyHardwareMeasurements,
  'verify-measurement': async () => (await import('./stages/measurement.ts')).verifyMeasurement,
  'verify-full': async () => (await import('./stages/full.ts')).verifyFull,
  'verify-ehbp-key-binding': async () => (await import('./stages/ehbp-key-binding.ts')).verifyEhbpKeyBinding,
}

export const stagesSupported = Object.keys(stages)

/** Answers one call. Throws only if the adapter itself is at fault. */
export async function runStage(name: string, input: string): Promise<Outcome> {
  if (!Object.hasOwn(stages, name)) return { kind: 'unsupported' }
  try {
    return await runParsed(name, parseInput(input))
  } catch (error) {
    if (error instanceof MalformedInput) return { kind: 'malformed', message: error.message }
    throw error
  }
}

async function runParsed(name: string, input: JsonValue): Promise<Outcome> {
  const load = Object.hasOwn(stages, name) ? stages[name] : undefined
  if (!load) return { kind: 'unsupported' }
  const stage = await load()
  return stage(input, runParsed)
}

function parseInput(input: string): JsonValue {
  try {
    return parseStrictJson(input)
  } catch {
    throw new MalformedInput('stdin is not one JSON value')
  }
}
