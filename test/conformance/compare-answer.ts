import type { Manifest, Vector } from './vectors.ts'

/** The end of an adapter call. */
export interface Answer {
  readonly exitCode: number
  /** The single JSON value on stdout; undefined if stdout has no such value. */
  readonly output: unknown
}

/** Why this adapter can't run the vector, or undefined. */
export function whySkipped(manifest: Manifest, capabilities: unknown): string | undefined {
  const stages = memberAt(capabilities, 'stages_supported')
  if (!Array.isArray(stages) || !stages.includes(manifest.stage))
    return `stage ${manifest.stage} is not supported`
  for (const [path, wanted] of Object.entries(manifest.required_capabilities)) {
    if (!holds(memberAt(capabilities, path), wanted))
      return `capability ${path} is not ${JSON.stringify(wanted)}`
  }
  return undefined
}

/** Why the answer differs from the one that the vector expects, or undefined. */
export function whyFailed(vector: Vector, answer: Answer): string | undefined {
  const { exit_code, rejection_code, rejection_stage } = vector.manifest.expects
  if (answer.exitCode !== exit_code)
    return `exit ${answer.exitCode} instead of ${exit_code}: ${JSON.stringify(answer.output ?? null).slice(0, 300)}`
  const code = memberAt(answer.output, 'rejection.code')
  if (rejection_code !== undefined && !isOneOf(code, rejection_code))
    return `rejection ${String(code)} instead of ${String(rejection_code)}`
  const stage = memberAt(answer.output, 'rejection.stage')
  if (rejection_stage !== undefined && stage !== rejection_stage)
    return `rejected at ${String(stage)} instead of ${rejection_stage}`
  return difference(vector.expected, answer.output, '')
}

/** The member at a dotted path. */
function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, name) => (isRecord(inner) ? inner[name] : undefined), value)
}

/**
 * A list of wanted values is a choice. If the capability is itself a list, it must contain every wanted
 * value.
 */
function holds(capability: unknown, wanted: unknown): boolean {
  if (Array.isArray(capability)) return [wanted].flat().every((one) => capability.includes(one))
  return isOneOf(capability, wanted)
}

function isOneOf(value: unknown, wanted: unknown): boolean {
  return [wanted].flat().includes(value)
}

/** The answer must contain the expected values, and may contain more. `rejection.code` may list alternatives. */
function difference(expected: unknown, actual: unknown, path: string): string | undefined {
  if (path === '.rejection.code')
    return isOneOf(actual, expected) ? undefined : `${path} is ${JSON.stringify(actual)}`
  if (isRecord(expected)) {
    if (!isRecord(actual)) return `${path || 'the result'} is no object`
    for (const [name, value] of Object.entries(expected)) {
      const found = difference(value, actual[name], `${path}.${name}`)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return `${path} has another length`
    return expected
      .map((value, index) => difference(value, actual[index], `${path}[${index}]`))
      .find((found) => found !== undefined)
  }
  return isSame(expected, actual)
    ? undefined
    : `${path} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
}

const HEX = /^[0-9a-f]+$/i

function isSame(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'string' && typeof actual === 'string' && HEX.test(expected) && HEX.test(actual)) {
    return expected.toLowerCase() === actual.toLowerCase()
  }
  return expected === actual
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
