import { createHash } from 'node:crypto'
import { demand, requireKey, type World } from './account-routes.ts'
import { createId, createTime } from './meaning.ts'
import { ALTERNATIVE, BASE, Refusal, type Answer, type Received } from './request.ts'
import { amount, Decimal, type WireObject, type WireValue } from './wire-value.ts'

export interface MeantJob {
  readonly id: string
  readonly model: string
  readonly createdAt: number
  readonly estimate: Decimal
  readonly cost: Decimal
  readonly failure: string | null
  readonly signature: string
  polls: number
}
export interface MeantImages {
  readonly cost: Decimal
  readonly createdAt: number
  readonly model: string
  readonly images: readonly { readonly path: string; readonly type: string }[]
}
interface MeantChallenge {
  readonly id: string
  readonly invoice: string
  readonly preimage: string
  readonly request: string
  readonly token: string
}

/** Everything that the fake service has created so far. */
export interface CreatedObjects {
  readonly jobs: MeantJob[]
  readonly images: MeantImages[]
  readonly challenges: MeantChallenge[]
  readonly results: WireObject[]
}
type MediaRoute = (
  world: World & { readonly created: CreatedObjects },
  received: Received,
  parameters: readonly string[],
) => Answer

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const SPOKEN_LIMIT = { A: 2000, B: 5000 } as const
const MOST_IMAGES = { A: 10, B: 4 } as const
const FORMATS = /filename="[^"]+\.(?:mp3|mp4|mpeg|mpga|m4a|wav|webm)"/

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

/**
 * Throws PaymentNeeded unless a key is sent, or the proof that this very request was paid.
 *
 * @returns whether the request itself was paid
 */
function requirePayment(
  { random, created, ...world }: World & { readonly created: CreatedObjects },
  received: Received,
): boolean {
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
    return false
  }
  const paid = created.challenges.find(
    ({ token, preimage, request: asked }) =>
      authorization === `L402 ${token}:${preimage}` && asked === request,
  )
  if (!paid) throw new Refusal('unauthorized')
  return true
}

export const inferenceRoutes: Readonly<Record<string, MediaRoute>> = {
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
  'POST /v1/embeddings': (world, received) => {
    requireKey(world, received)
    const { input } = received.json ?? {}
    const inputs = (Array.isArray(input) ? input : [input]).filter(
      (each): each is string => typeof each === 'string',
    )
    demand(inputs.length > 0 && inputs.length === (Array.isArray(input) ? input.length : 1))
    // OpenAI-SDK compatible: numbers are JSON numbers here, and `index` gives the order of the entries.
    const data = inputs.map((each, index) => ({
      object: 'embedding',
      index,
      embedding: [each.length, index, 0.5],
    }))
    return {
      status: 200,
      body: {
        object: 'list',
        model: String(received.json?.['model']),
        data: world.random.chance(0.5) ? data : data.toReversed(),
        usage: {
          prompt_tokens: inputs.length,
          total_tokens: world.random.pick([inputs.length, String(inputs.length)]),
        },
      },
    }
  },
  'POST /v1/images/generations': (world, received) => {
    const { revision } = world.meaning
    const { model, prompt, n = 1, ...others } = received.json ?? {}
    demand(
      typeof model === 'string' &&
        typeof n === 'number' &&
        n >= 1 &&
        n <= MOST_IMAGES[revision] &&
        (revision === 'B' || typeof prompt === 'string'),
    )
    demand(
      revision === 'B' ||
        !['resolution', 'negative_prompt', 'output_format', 'image_url'].some((name) => name in others),
    )
    requirePayment(world, received)
    return { status: 200, body: imagesBody(world, model, n) }
  },
  'POST /v1/images/edits': (world, received) => {
    demand(world.meaning.revision === 'B', 'unknown')
    demand(/name="image"; filename=/.test(received.text) && /name="model"/.test(received.text))
    requirePayment(world, received)
    return { status: 200, body: imagesBody(world, 'editor', 1) }
  },
  'POST /v1/videos': (world, received) => {
    const { random, created } = world
    const { model, prompt } = received.json ?? {}
    demand(typeof model === 'string' && typeof prompt === 'string')
    const paid = requirePayment(world, received)
    const job = {
      id: `gen_${createId(random)}`,
      model,
      createdAt: createTime(random),
      estimate: amount(random, 9, 6),
      cost: amount(random, 9, 6),
      failure: random.chance(0.4) ? 'The prompt was refused' : null,
      signature: createId(random),
      polls: random.int(0, 2),
    }
    created.jobs.push(job)
    return {
      status: paid ? 202 : random.pick([200, 202]),
      body: {
        id: job.id,
        model,
        status: 'pending',
        created: new Decimal(String(job.createdAt / 1000)),
        estimated_cost: job.estimate,
        ...(paid && { status_url: `${BASE}/v1/videos/${job.id}?sig=${job.signature}&exp=1` }),
      },
    }
  },
  'GET /v1/videos/:': (world, received, [id]) => {
    const job = world.created.jobs.find((each) => each.id === id)
    if (received.query.get('sig') === null) requireKey(world, received)
    demand(job !== undefined && [null, job.signature].includes(received.query.get('sig')), 'unknown')
    const common = { id: job.id, model: job.model, created: new Decimal(String(job.createdAt / 1000)) }
    if (job.polls-- > 0) return { status: 202, body: { ...common, status: 'pending' } }
    const { failure } = job
    if (failure !== null)
      return {
        status: 200,
        body: {
          ...common,
          status: 'failed',
          error: world.random.pick<WireValue>([
            failure,
            { message: failure },
            { error: { message: failure } },
            { message: failure, code: 7 },
          ]),
        },
      }
    return {
      status: 200,
      body: {
        ...common,
        status: 'completed',
        cost: job.cost,
        data: { url: `${BASE}/v1/media/${job.id}/0?sig=s&exp=1`, content_type: 'video/mp4' },
      },
    }
  },
  'GET /v1/media/:/0': (_world, received, [id = '']) => {
    demand(
      received.query.get('sig') === 's' && received.headers['authorization'] === undefined,
      'unauthorized',
    )
    return {
      status: 200,
      headers: { 'content-type': id.startsWith('gen_') ? 'video/mp4' : 'image/png' },
      text: `media ${id}`,
    }
  },
  'POST /v1/audio/speech': (world, received) => {
    requireKey(world, received)
    const { input } = received.json ?? {}
    demand(typeof input === 'string' && input.length <= SPOKEN_LIMIT[world.meaning.revision])
    return { status: 200, headers: { 'content-type': 'audio/mpeg' }, text: `spoken ${input}` }
  },
  'POST /v1/audio/transcriptions': (world, received) => {
    requireKey(world, received)
    demand(FORMATS.test(received.text))
    return { status: 200, body: { text: 'Sotto voce.' } }
  },
}

/**
 * A call of a data endpoint. The specification doesn't define the payload of its answer, so the client passes it on
 * unchanged.
 */
export function callData(world: World & { readonly created: CreatedObjects }, received: Received): Answer {
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

/**
 * @returns the path without the prefix that audio has at a separate address in Revision A, or undefined if nothing
 * is served there
 */
export function servedPath(
  { origin, path }: Received,
  revision: World['meaning']['revision'],
): string | undefined {
  const isAudio = /^(?:\/api)?\/v1\/audio\//.test(path)
  if (revision === 'A' && isAudio)
    return origin === ALTERNATIVE && path.startsWith('/api/') ? path.slice('/api'.length) : undefined
  return origin === BASE ? path : undefined
}

function imagesBody(
  { random, created }: World & { readonly created: CreatedObjects },
  model: string,
  count: number,
): WireObject {
  const images: MeantImages = {
    model,
    cost: amount(random, 3, 8),
    createdAt: createTime(random),
    images: Array.from({ length: count }, () => ({
      path: `/v1/media/${createId(random)}/0?sig=s&exp=1`,
      type: 'image/png',
    })),
  }
  created.images.push(images)
  return {
    created: new Decimal(String(images.createdAt / 1000)),
    model,
    cost: images.cost,
    data: images.images.map(({ path, type }) => ({ url: `${BASE}${path}`, content_type: type })),
  }
}
