import type { Route, World } from './account-routes.ts'
import { demand } from './account-routes.ts'
import type { MeantEndpoint, MeantModel } from './meaning.ts'
import type { SentList } from './unspecified-shapes.ts'
import { BASE } from './request.ts'
import { Decimal, type WireObject } from './wire-value.ts'

const send = (world: World, { body, unreadable }: SentList): ReturnType<Route> => {
  world.unreadable = unreadable
  return { status: 200, body }
}

/** Lists for everybody (specification, Authentication 4). No shape of them is shown. */
export const listingRoutes: Readonly<Record<string, Route>> = {
  'GET /v1/models': (world, { query }) => {
    const types = query.get('type')?.split(',') ?? ['chat']
    return sendModels(
      world,
      world.meaning.models.filter(({ type }) => types.includes('all') || types.includes(type)),
    )
  },
  'GET /v1/media/models': (world) => {
    demand(world.meaning.revision === 'A', 'unknown')
    return sendModels(
      world,
      world.meaning.models.filter(({ type }) => type === 'image' || type === 'video'),
    )
  },
  'GET /v1/audio/models': (world) => {
    const { meaning, shapes, random } = world
    demand(meaning.revision === 'B', 'unknown')
    const entries = meaning.audioModels.map(({ id, name, provider, type, price }) => {
      const listed = {
        api_price: price,
        ...(random.chance(0.5) && { currency: shapes.anyCase('USD') }),
        unit: random.pick(['minute', 'per minute', 'min']),
      }
      return {
        ...shapes.named(['id', 'model_id', '_id'], id),
        name,
        provider,
        type,
        ...(random.chance(0.5) ? listed : { pricing: listed }),
        ...shapes.extras(),
      }
    })
    return send(world, shapes.grouped(entries, 'models', ['provider']))
  },
  'GET /v1/audio/voices': (world) => {
    const { meaning, shapes } = world
    demand(meaning.revision === 'B', 'unknown')
    return send(
      world,
      shapes.list(
        meaning.voices.map(({ id, name, modelId, language }) => ({
          ...shapes.named(['id', 'voice_id', '_id'], id),
          name,
          model_id: modelId,
          language,
          provider: null,
        })),
        'voices',
      ),
    )
  },
  'GET /v1/data/endpoints': (world) => {
    const { meaning, shapes, random } = world
    const grouped = random.chance(0.5)
    if (!grouped)
      return send(
        world,
        shapes.list(
          meaning.endpoints.map((endpoint) => endpointBody(world, endpoint, false)),
          'endpoints',
        ),
      )
    // The groups of the answer name the providers, so the entries needn't.
    const entries = new Map(
      meaning.endpoints.map((endpoint) => [endpointBody(world, endpoint, true), endpoint.group]),
    )
    const names = [...new Set(entries.values())]
    let unreadable = 0
    const groups = Object.fromEntries(
      names.map((name) => {
        const { members, noise } = shapes.withNoise(
          [...entries].filter(([, group]) => group === name).map(([entry]) => entry),
        )
        unreadable += noise
        return [name, members] as const
      }),
    )
    return send(world, {
      body: random.pick<WireObject>([
        groups,
        { status: 'success', data: groups },
        { data: { endpoints: groups } },
      ]),
      unreadable,
    })
  },
}

function sendModels(world: World, models: readonly MeantModel[]): ReturnType<Route> {
  return send(
    world,
    world.shapes.grouped(
      models.map((model) => modelBody(world, model)),
      'models',
      ['provider', 'owned_by'],
    ),
  )
}

function modelBody(
  { shapes, random }: World,
  { id, name, provider, type, contextLength, addedAt, input, output, averageCost, base, quality }: MeantModel,
): WireObject {
  const currency = random.chance(0.6) ? { currency: shapes.anyCase('USD') } : {}
  const rates =
    input &&
    output &&
    random.pick<WireObject>([
      { input_per_1M_tokens: input, output_per_1M_tokens: output },
      { api: { input_per_1M: input, output_per_1M: output }, ui: { input_per_1M: new Decimal('999') } },
    ])
  return {
    ...shapes.named(['id', 'model_id', '_id'], id),
    ...shapes.named(['name', 'model_name'], name),
    ...shapes.named(['provider', 'owned_by'], provider),
    type,
    ...(contextLength !== undefined &&
      shapes.named(['context_length', 'max_context'], new Decimal(String(contextLength)))),
    ...(addedAt !== undefined &&
      shapes.named(['created_at', 'created', 'date_added'], shapes.moment(addedAt))),
    ...(averageCost && { average_cost: averageCost }),
    pricing: { ...currency, ...rates, ...(base && { base_price: base }), ...(quality && { quality }) },
    ...shapes.extras(),
  }
}

function endpointBody(
  { shapes, random }: World,
  { method, path, group, below, price }: MeantEndpoint,
  inGroup: boolean,
): WireObject {
  const paths = [
    path,
    `/v1/data${path}`,
    `${BASE}/v1/data${path}`,
    ...(inGroup ? [`/${below}`, below, ...(group === 'x' ? [] : [`/${group}/${below}`])] : []),
  ]
  const currency = random.chance(0.5) ? { currency: shapes.anyCase('USD') } : {}
  const prices =
    price &&
    random.pick<WireObject>([
      { price, ...currency },
      { price_usd: price },
      { pricing: { price, ...currency } },
      { cost: price, pricing: null },
    ])
  return {
    ...shapes.named(['path', 'endpoint', 'route', 'url'], random.pick(paths)),
    method: shapes.anyCase(method),
    ...prices,
    ...shapes.extras(),
  }
}
