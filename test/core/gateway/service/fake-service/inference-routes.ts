import { createHash } from 'node:crypto'
import { demand, requireKey, type Route, type World } from './account-routes.ts'
import { createId } from './meaning.ts'
import { Refusal, type Answer, type Received } from './request.ts'
import type { WireObject, WireValue } from './wire-value.ts'

interface MeantChallenge {
  readonly id: string
  readonly invoice: string
  readonly preimage: string
  readonly request: string
  readonly token: string
}

/** Everything that the fake service has created so far. */
export interface CreatedObjects {
  readonly challenges: MeantChallenge[]
  readonly results: WireObject[]
}
type InferenceWorld = World & { readonly created: CreatedObjects }

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** A 402 with its challenge (specification, Authentication 5). */
class PaymentNeeded extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super('payment needed')
    this.answer = answer
  }
}

/** @returns the challenge's 402 if `thrown` is a payment challenge */
export function challengeIn(thrown: unknown): Answer | undefined {
  return thrown instanceof PaymentNeeded ? thrown.answer : undefined
}

/** Throws PaymentNeeded unless a key is sent, or the proof that this very request was paid. */
function requirePayment({ random, created, ...world }: InferenceWorld, received: Received): void {
  const {
    headers: { authorization },
    method,
    path,
    query,
    text,
  } = received
  const request = createHash('sha256')
    .update(JSON.stringify([method, path, query.toString(), text]))
    .digest('hex')
  if (authorization === undefined) {
    const id = random.text(`${BECH32}ABC`, 20)
    const challenge = {
      id,
      request,
      preimage: random.text('0123456789abcdef', 64),
      invoice: `lnbc140n1p${random.text(BECH32, 60)}`,
      token: random.pick([id, `AGIA${random.text('ABCabc123', 12)}==`]),
    }
    created.challenges.push(challenge)
    const token = challenge.token === id ? '' : `, token="${challenge.token}"`
    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { field, body } = random.pick<() => { field: string; body: WireValue }>([
      () => ({
        field: `Payment id="${id}", method=lightning, invoice="${challenge.invoice}"${token}`,
        body: { error: 'Payment Required' },
      }),
      () => ({
        field: `Payment id="${id}", method="lightning", intent="charge", request="${encoded({ amount: '14', currency: 'sat', methodDetails: { invoice: challenge.invoice } })}"${token}`,
        body: null,
      }),
      () => ({ field: `payment method=Lightning, id="${id}"${token}`, body: { invoice: challenge.invoice } }),
      () => ({
        field: `Basic realm="x", Payment id="${id}", method=lightning, request="${encoded({ invoice: challenge.invoice.toUpperCase() })}"${token}`,
        body: { detail: 'Payment Required' },
      }),
    ])()
    throw new PaymentNeeded({ status: 402, headers: { 'www-authenticate': field }, body })
  }
  if (!authorization.startsWith('L402 ')) {
    requireKey({ random, ...world }, received)
    return
  }
  const paid = created.challenges.find(
    ({ token, preimage, request: asked }) =>
      authorization === `L402 ${token}:${preimage}` && asked === request,
  )
  if (!paid) throw new Refusal('unauthorized')
}

export const inferenceRoutes: Readonly<Record<string, Route>> = {
  'POST /v1/chat/completions': (world, received) => {
    requireKey(world, received)
    const { model, messages } = received.json ?? {}
    demand(
      typeof model === 'string' &&
        Array.isArray(messages) &&
        (world.meaning.revision === 'A' || !model.startsWith('private/')),
    )
    return {
      status: 200,
      body: {
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Piano.' }, finish_reason: 'stop' }],
      },
    }
  },
}

/**
 * A call of a data endpoint. The specification doesn't define the payload of its answer, so the client passes it on
 * unchanged.
 */
export function callData(world: InferenceWorld, received: Received): Answer {
  const endpoint = world.meaning.endpoints.find(
    ({ method, path }) => method === received.method && received.path === `/v1/data${path}`,
  )
  demand(endpoint !== undefined, 'unknown')
  demand(endpoint.method === 'GET' || received.json !== undefined)
  requirePayment(world, received)
  const body: WireObject = {
    results: [{ title: createId(world.random), score: world.random.int(0, 99) }],
    next_token: null,
  }
  world.created.results.push(body)
  return { status: 200, body }
}
