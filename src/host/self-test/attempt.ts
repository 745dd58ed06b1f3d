import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { errorCodes, isErrorCode } from '../../shared/error-codes.ts'
import { readBytes } from '../../shared/limited-body.ts'
import type { SelfTestRefusal, SelfTestResult } from '../../shared/self-test.ts'
import { sandboxFaults, type SandboxFault, type SandboxPlatform } from '../../shared/sandbox-faults.ts'
import { verdictSchema, type Verdict } from '../../shared/verdict.ts'
import { expectationOf, type Expectation } from './expectations.ts'
import type { Stage } from './stage.ts'
import { tryParseJson } from '../../shared/strict-json.ts'

const errorSchema = z.object({ error: z.object({ code: z.string() }) })

/** An attempt at the enclave of private models. */
interface PrivateAttempt {
  readonly platform: SandboxPlatform
  readonly fault: SandboxFault | null
}

/**
 * Sends one private request to the stage's own proxy while the fault is on.
 * @throws the signal's reason if it's aborted
 */
export async function attempt(
  stage: Stage,
  model: string,
  { platform, fault }: PrivateAttempt,
  signal: AbortSignal,
): Promise<SelfTestResult> {
  const { sandbox, core } = stage
  const expected = fault && expectationOf(fault, platform)
  const spoilsProof = fault !== null && sandboxFaults[fault].spoils === 'proof'
  sandbox.setPlatform(platform)
  core.invalidateVerdict()
  // A fault of the answer has an effect only after a valid proof.
  if (!spoilsProof) await privacyCall(stage, 'verify')
  const { result: refusal, received } = await underFault(stage, fault, (secret) =>
    ask(stage, model, secret, signal),
  )
  const bounded = spoilsProof ? received.bodyBytes === 0 : received.bodyBytes > 0 && received.sealed
  return {
    held: bounded && asExpected(expected, refusal),
    refusal,
    expected: expected && (expected.step ?? expected.code),
    received,
  }
}

/**
 * Sends a secret text while the fault is on.
 * @returns the result of `send`, and what the sandbox received; `sealed` is false if the text left the core as it is
 */
export async function underFault<Result>(
  stage: Stage,
  fault: SandboxFault | null,
  send: (secret: string) => Promise<Result>,
): Promise<{ readonly result: Result; readonly received: SelfTestResult['received'] }> {
  const { sandbox } = stage
  const secret = `self-test ${randomUUID()}`
  stage.leaked(secret)
  sandbox.clearReceived()
  if (fault) sandbox.setFault(fault, true)
  try {
    const result = await send(secret)
    const bodies = sandbox.received().filter(({ bodyBytes }) => bodyBytes > 0)
    const bodyBytes = bodies.reduce((sum, body) => sum + body.bodyBytes, 0)
    return {
      result,
      received: { bodyBytes, sealed: bodies.every(({ sealed }) => sealed) && !stage.leaked(secret) },
    }
  } finally {
    if (fault) sandbox.setFault(fault, false)
  }
}

function asExpected(expected: Expectation | null, refusal: SelfTestRefusal | null): boolean {
  if (!expected || !refusal) return !expected && !refusal
  return refusal.code === expected.code && refusal.step?.code === expected.step
}

/** Null: answered. */
async function ask(
  stage: Stage,
  model: string,
  text: string,
  signal: AbortSignal,
): Promise<SelfTestRefusal | null> {
  const { status, body } = await post(stage, model, text, signal)
  if (status === 200) return null
  const { code, says } = refusalOf(status, body)
  return code === 'attestation/failed' || code === 'attestation/older-release'
    ? withStep({ code, says }, await privacyCall(stage, 'current'))
    : { code, says }
}

/** Reads the error of the proxy. */
export function refusalOf(status: number, body: string): SelfTestRefusal {
  const failed = errorSchema.safeParse(tryParseJson(body))
  const code = failed.success ? failed.data.error.code : `status ${String(status)}`
  return {
    code,
    says: isErrorCode(code) ? errorCodes[code].says : 'The request failed in a way that has no name.',
  }
}

/** Adds the step that failed. */
export function withStep(refusal: SelfTestRefusal, verdict: Verdict | null): SelfTestRefusal {
  const failed = verdict?.steps.find(({ id }) => id === verdict.failure?.step)
  return verdict?.failure && failed
    ? {
        code: refusal.code,
        says: verdict.failure.says,
        step: { id: failed.id, title: failed.title, code: verdict.failure.code },
      }
    : refusal
}

/**
 * Sends a request like any local program. A proxy that doesn't respond is status 0: the attempt fails, and
 * the self-test continues.
 */
export async function post(
  { core, fetch }: Stage,
  model: string,
  text: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string; receiptId?: string }> {
  try {
    const response = await fetch(`${core.proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${core.localKey()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: text }] }),
      redirect: 'manual',
      signal,
    })
    const receiptId = response.headers.get('x-sotto-receipt')
    return {
      status: response.status,
      body: Buffer.from(await readBytes(response.body, Infinity)).toString('utf8'),
      ...(receiptId !== null && { receiptId }),
    }
  } catch {
    signal.throwIfAborted()
    return { status: 0, body: '' }
  }
}

const privacyCall = (stage: Stage, call: 'verify' | 'current'): Promise<Verdict | null> =>
  ownerCall(stage, `privacy/${call}`, {}, verdictSchema)

/** Calls the owner's API like a window. Null if the answer has another form. */
export async function ownerCall<T>(
  { core }: Stage,
  path: string,
  input: object,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const response = await core.asOwner(
    new Request(`http://self-test.invalid/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    }),
  )
  const read = z.object({ json: schema }).safeParse(tryParseJson(await response.text()))
  return read.success ? read.data.json : null
}
