import { serviceEnclaveViewSchema } from '../../shared/chat-route.ts'
import type { SelfTestRefusal, SelfTestResult } from '../../shared/self-test.ts'
import { receiptSchema, type Receipt } from '../../shared/receipt.ts'
import type { ServiceEnclaveFault } from '../../shared/sandbox-faults.ts'
import { ownerCall, post, refusalOf, underFault, withStep } from './attempt.ts'
import type { Stage } from './stage.ts'

/**
 * The error that must refuse the request, or the finding of its receipt; null: it's answered, and its
 * receipt is verified without a warning.
 */
const expectations: Readonly<Record<ServiceEnclaveFault, string | null>> = {
  'relay-other-image': 'service-enclave/image-not-published',
  'relay-older-record': 'service-enclave/record-older',
  'relay-key-rotation': null,
  'relay-swapped-model': 'model-differs',
  'relay-foreign-upstream': 'upstream-unexpected',
  'relay-missing-receipt': 'missing',
  'relay-forged-receipt': 'signature',
  'relay-other-request': 'request',
}

/**
 * One chat with a model that isn't private, through the service's own enclave, while the fault is on. An
 * attempt without a fault must come first, because the fault of an older record needs a remembered one.
 * @throws the signal's reason if it's aborted
 */
export async function relayedAttempt(
  stage: Stage,
  model: string,
  fault: ServiceEnclaveFault | null,
  signal: AbortSignal,
): Promise<SelfTestResult> {
  const expected = fault && expectations[fault]
  stage.core.invalidateVerdict()
  const { result, received } = await underFault(stage, fault, async (secret) => {
    const { status, body, receiptId = '' } = await post(stage, model, secret, signal)
    const refusal = status === 200 ? null : await refused(stage, status, body)
    const outcome = refusal
      ? (refusal.step?.code ?? refusal.code)
      : findingOf(await ownerCall(stage, 'receipts/get', { receiptId }, receiptSchema))
    return { refusal, outcome }
  })
  const { refusal, outcome } = result
  const bounded = refusal ? received.bodyBytes === 0 : received.bodyBytes > 0 && received.sealed
  return { held: bounded && outcome === expected, refusal, expected, received }
}

async function refused(stage: Stage, status: number, body: string): Promise<SelfTestRefusal> {
  const view = await ownerCall(stage, 'serviceEnclave/view', {}, serviceEnclaveViewSchema)
  return withStep(refusalOf(status, body), view?.verdict ?? null)
}

/**
 * The problem with the receipt's route; null if it's verified. The host of the sandbox's models names no
 * provider, which isn't a fault.
 */
function findingOf(receipt: Receipt | null): string | null {
  const { routing, privacy } = receipt ?? {}
  if (!routing || privacy !== 'relayed') return 'no receipt'
  const [warning] = (routing.warnings ?? []).filter((each) => each !== 'upstream-chooses')
  return routing.refusal ?? warning ?? (routing.state === 'verified' ? null : routing.state)
}
