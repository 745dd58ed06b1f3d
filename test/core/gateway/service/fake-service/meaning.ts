import type { Random } from './random.ts'
import { amount, Decimal } from './wire-value.ts'

export type Revision = 'A' | 'B'

export interface MeantModel {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly type: string
  readonly contextLength?: number
  readonly addedAt?: number
  readonly input?: Decimal
  readonly output?: Decimal
  readonly averageCost?: Decimal
  readonly base?: Decimal
  readonly quality?: Readonly<Record<string, Decimal>>
}
export interface MeantEndpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly group: string
  readonly below: string
  readonly price?: Decimal
}
export interface MeantVoice {
  readonly id: string
  readonly name: string
  readonly modelId: string
  readonly language: string
}
export interface MeantMethod {
  readonly method: string
  readonly currencies: readonly string[]
  readonly limits: Readonly<Record<string, { readonly min: Decimal; readonly max: Decimal }>>
}
export interface MeantRecord {
  readonly at: number
  readonly model: string
  readonly input: number
  readonly output: number
  readonly cost: Decimal
  readonly type: string
  readonly source: string
  /** Null for an entry of the account itself. */
  readonly key: string | null
  readonly online: boolean
  readonly free: boolean
}

/** The content of a service's answers, independent of their shapes. */
export interface Meaning {
  readonly revision: Revision
  readonly creditId: string
  readonly apiKey: string
  readonly balance: Decimal
  readonly models: readonly MeantModel[]
  readonly audioModels: readonly (MeantModel & { readonly price: Decimal })[]
  readonly voices: readonly MeantVoice[]
  readonly endpoints: readonly MeantEndpoint[]
  readonly methods: readonly MeantMethod[]
  readonly records: readonly MeantRecord[]
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const SECOND_MS = 1000

/**
 * The groups of the specification's table, each with its paths. In addresses, provider names replace these neutral
 * words.
 */
const GROUPS: readonly (readonly [group: string, method: 'GET' | 'POST', ...below: string[]])[] = [
  ['maps', 'POST', 'text-search/full', 'text-search/partial', 'nearby-search/full', 'nearby-search/partial'],
  ['maps', 'GET', 'place-details/full', 'place-details/partial'],
  ['people', 'POST', 'people-search', 'org-search', 'people-enrich', 'org-enrich'],
  ['websearch', 'POST', 'search', 'find-similar', 'contents', 'answer'],
  ['webscrape', 'POST', 'scrape', 'search'],
  ['contacts', 'POST', 'contacts-enrich', 'profile-scrape'],
  ['serp', 'POST', 'news', 'shopping'],
  ['forum', 'POST', 'search', 'post-comments'],
  ['records', 'POST', 'person-search', 'property-search'],
  ['emailcheck', 'POST', 'email-verifier'],
  ['creator', 'POST', 'enrich-by-email', 'enrich-by-social'],
]
const MICROBLOG = [
  'tweets/search',
  'tweets/by/id',
  'tweets/user',
  'tweets/replies',
  'tweets/quote_tweets',
  'tweets/retweeted_by',
  'users/search',
  'users/by/id',
  'users/by/username',
  'users/followers',
  'users/following',
  'lists/by/id',
]

export function createKeyText(random: Random): string {
  return `sk-${random.text(ALPHANUMERIC, 22)}`
}

export function createId(random: Random): string {
  return random.text('0123456789abcdef', 24)
}

/** A time in whole seconds, so that each format of it means the same. */
export function createTime(random: Random): number {
  return Date.UTC(2026, 0, 1) + random.int(0, 300 * 86_400) * SECOND_MS
}

export function createMeaning(random: Random, revision: Revision): Meaning {
  const maybe = <Value>(make: () => Value): Value | undefined => (random.chance(0.7) ? make() : undefined)
  const apiKey = createKeyText(random)
  const model = (type: string, prefix = ''): MeantModel => {
    const id = `${prefix}${random.text(LOWER, 6)}-${String(random.int(1, 9))}`
    const media = type === 'image' || type === 'video'
    const [contextLength, addedAt, averageCost] = [
      maybe(() => random.int(1, 300_000)),
      maybe(() => createTime(random)),
      maybe(() => amount(random, 2, 8)),
    ]
    return {
      id,
      type,
      name: `Model ${id.replace('/', ' ')}`,
      provider: random.pick(['openai', 'other-lab', 'third']),
      ...(contextLength !== undefined && { contextLength }),
      ...(addedAt !== undefined && { addedAt }),
      ...(averageCost !== undefined && { averageCost }),
      ...(!media && { input: amount(random, 90, 8), output: amount(random, 90, 8) }),
      ...(media && { base: amount(random, 3, 6) }),
      ...(media &&
        random.chance(0.5) && { quality: { low: amount(random, 1, 6), high: amount(random, 9, 6) } }),
    }
  }
  const several = <Item>(least: number, most: number, make: () => Item): Item[] =>
    Array.from({ length: random.int(least, most) }, make)
  const providers = new Map(
    [...new Set(GROUPS.map(([group]) => group))].map((group) => [
      group,
      random.chance(0.5) ? group : `${random.text(LOWER, 5)}-${group}`,
    ]),
  )
  const listed = GROUPS.flatMap(([group, method, ...below]) =>
    below.map((each) => ({
      group: providers.get(group)!,
      method,
      below: each,
      root: `/api/${providers.get(group)!}`,
    })),
  )
  const microblog =
    revision === 'A'
      ? MICROBLOG.map((below) => ({ group: 'x', method: 'GET' as const, below, root: '/x' }))
      : []
  return {
    revision,
    apiKey,
    creditId: `${random.text('0123456789abcdef', 8)}-${random.text('0123456789abcdef', 4)}-4a63-9d2c-${random.text('0123456789abcdef', 12)}`,
    balance: new Decimal(`${random.chance(0.2) ? '-' : ''}${amount(random, 5000, 12).text}`),
    models: [
      ...several(1, 4, () => model('chat')),
      ...several(1, 2, () => model('embedding')),
      ...several(1, 3, () => model('image')),
      ...several(1, 2, () => model('video')),
      ...(revision === 'B' ? several(1, 3, () => model('chat', 'private/')) : []),
    ],
    audioModels: several(1, 3, () => ({ ...model('stt'), price: amount(random, 1, 6) })),
    voices: several(1, 4, () => ({
      id: `${random.text(LOWER, 6)}-en`,
      name: 'Voice',
      modelId: 'deepgram_aura_2',
      language: 'en',
    })),
    endpoints: [...listed, ...microblog].map(({ group, method, below, root }) => ({
      group,
      method,
      below,
      path: `${root}/${below}`,
      ...(random.chance(0.8) && { price: amount(random, 1, 5) }),
    })),
    methods: ['btc-lightning', 'btc', 'ltc', 'lbtc', 'xmr'].map((method) => {
      const currencies = ['SATS', 'BTC', 'USD'].filter((currency) => currency === 'USD' || random.chance(0.6))
      return {
        method,
        currencies,
        limits: Object.fromEntries(
          currencies.map((currency) => [
            currency,
            { min: amount(random, 9, 4), max: new Decimal(String(random.int(1000, 20_000))) },
          ]),
        ),
      }
    }),
    records: several(0, 9, () => ({
      at: createTime(random),
      model: random.pick(['large', 'private/small']),
      input: random.int(0, 9000),
      output: random.int(0, 9000),
      cost: amount(random, 1, 10),
      type: random.pick(['chat_completion', 'image']),
      source: random.pick(['api', 'ui']),
      key: random.pick([apiKey, 'another', null]),
      online: random.chance(0.5),
      free: random.chance(0.2),
    })),
  }
}
