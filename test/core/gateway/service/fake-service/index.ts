import type { ServiceAccess } from '../../../../../src/core/gateway/service/http/access.ts'
import type { Service } from '../../../../../src/core/gateway/service/http/perform.ts'
import { retryPolicy } from '../../../../../src/core/gateway/service/http/retry.ts'
import { accountRoutes, type MeantKey, type World } from './account-routes.ts'
import { callData, challengeIn, inferenceRoutes, type CreatedObjects } from './inference-routes.ts'
import { listingRoutes } from './listing-routes.ts'
import { createMeaning, createTime, type Revision } from './meaning.ts'
import { createOpenShapes } from './unspecified-shapes.ts'
import { createRandom } from './random.ts'
import {
  ALTERNATIVE,
  BASE,
  receive,
  Refusal,
  refuse,
  respond,
  type Answer,
  type Received,
} from './request.ts'
import { Decimal } from './wire-value.ts'

/** A service written only from the specification. A seed chooses every shape that the specification leaves open. */
export interface FakeService {
  /** The client's view of the service, with the credentials of its account. */
  readonly service: Service
  /** The client's view with only these credentials. */
  readonly as: (credentials: Pick<ServiceAccess, 'apiKey' | 'creditId'>) => Service
  readonly world: World & { readonly created: CreatedObjects }
  /** The requests so far, as `METHOD /path`. */
  readonly requests: readonly string[]
}

const routes = Object.entries({ ...accountRoutes, ...listingRoutes, ...inferenceRoutes }).map(
  ([name, handle]) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, pattern: new RegExp(`^${path.replaceAll(':', '([\\w-]+)')}$`), handle }
  },
)

export function createFakeService({
  seed,
  revision,
}: {
  readonly seed: number
  readonly revision: Revision
}): FakeService {
  const random = createRandom(seed)
  const meaning = createMeaning(random, revision)
  const first: MeantKey = {
    id: random.text('0123456789abcdef', 24),
    secret: meaning.apiKey,
    name: 'Default',
    cap: null,
    period: null,
    spent: new Decimal('0.5'),
    total: new Decimal('1.25'),
    expiresAt: null,
    createdAt: createTime(random),
    revokedAt: null,
  }
  const world: FakeService['world'] = {
    meaning,
    random,
    shapes: createOpenShapes(random),
    keys: [first],
    invoices: [],
    wallet: null,
    unreadable: 0,
    created: { challenges: [], results: [] },
  }
  const requests: string[] = []

  function answer(received: Received): Answer {
    const { origin, path } = received
    if (origin !== BASE) throw new Refusal('unknown')
    for (const { method, pattern, handle } of routes) {
      const match = method === received.method ? pattern.exec(path) : null
      if (match) return handle(world, received, match.slice(1))
    }
    if (!path.startsWith('/v1/data/')) throw new Refusal('unknown')
    return callData(world, received)
  }

  const as: FakeService['as'] = (credentials) => ({
    access: () => ({ baseUrl: BASE, alternativeBaseUrl: ALTERNATIVE, revision, ...credentials }),
    now: () => Date.UTC(2026, 10, 1),
    retry: { ...retryPolicy, attempts: 1 },
    fetch: async (url, init) => {
      const received = await receive(url, init)
      requests.push(`${received.method} ${received.path}`)
      try {
        return respond(answer(received), random)
      } catch (thrown) {
        const challenge = challengeIn(thrown)
        if (challenge) return respond(challenge, random)
        if (thrown instanceof Refusal) return respond(refuse(thrown.kind, random), random)
        throw thrown
      }
    },
  })
  return { service: as({ apiKey: meaning.apiKey, creditId: meaning.creditId }), as, world, requests }
}
