import type { Fetch } from '../../../../src/shared/fetch.ts'

export interface SimulatedKey {
  readonly _id: string
  name: string
  readonly api_key: string
  usage_limit_usd: unknown
  reset_period: string | null
  expire_at: string | null
  deleted_at: string | null
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The body exactly as it was sent. */
  readonly body: string
}

/** Replaces the service's result: before the request is carried out, or by replacing its answer. */
export type Interruption = { readonly status: number } | 'unreachable' | 'answer-lost'

/** The part of the service that accounts and keys need, in memory. `interrupt` decides which requests fail. */
export class SimulatedService {
  readonly keys = new Map<string, SimulatedKey[]>()
  readonly asked: Asked[] = []
  /** Whether revoking a key releases its name. */
  freesNames = false
  /** Whether the service supports `show_key`. */
  showsKeys = true
  /** The content of an answer to account creation. */
  created: (credentials: { credit_id: string; api_key: string }) => object = (credentials) => credentials
  interrupt: (asked: Asked) => Interruption | undefined = () => undefined
  #made = 0

  /** Creates a key: `sk-live-0001`, then `sk-live-0002` and so on. */
  newKey(creditId: string, part: Partial<SimulatedKey> = {}): SimulatedKey {
    const number = String((this.#made += 1)).padStart(4, '0')
    const key = {
      _id: `key${number}`,
      name: 'Default',
      api_key: `sk-live-${number}`,
      usage_limit_usd: null,
      reset_period: null,
      expire_at: null,
      deleted_at: null,
      ...part,
    }
    this.keys.set(creditId, [...(this.keys.get(creditId) ?? []), key])
    return key
  }

  /** Whether the service accepts the key. */
  works(apiKey: string): boolean {
    return [...this.keys.values()].flat().some((key) => key.api_key === apiKey && key.deleted_at === null)
  }

  readonly fetch: Fetch = async (url, init) => {
    const { pathname: path, search: query } = new URL(url)
    const asked = {
      method: init.method,
      path,
      query,
      headers: init.headers,
      body: typeof init.body === 'string' ? init.body : '',
    }
    this.asked.push(asked)
    const interruption = this.interrupt(asked)
    if (interruption === 'unreachable') throw new TypeError('fetch failed')
    if (typeof interruption === 'object') return answer(interruption.status, { error: 'as told' })
    const { status, body } = this.#serve(asked)
    if (interruption === 'answer-lost') throw new TypeError('the connection was reset')
    return Promise.resolve(answer(status, body))
  }

  #serve({ method, path, query, headers, body }: Asked): { status: number; body: unknown } {
    const input = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
    if (path === '/accounts/create') {
      const creditId = `credit-${String(this.keys.size + 1).padStart(4, '0')}`
      return {
        status: 201,
        body: {
          success: true,
          ...this.created({ credit_id: creditId, api_key: this.newKey(creditId).api_key }),
          balance: 0,
        },
      }
    }
    if (path === '/credits/balance') {
      const bearer = headers['authorization']?.replace('Bearer ', '')
      return input['credit_id'] !== undefined || (bearer !== undefined && this.works(bearer))
        ? { status: 200, body: { balance: 1.5 } }
        : { status: 401, body: { error: 'Invalid API key' } }
    }
    const accountKeys = this.keys.get(headers['x-credit-id'] ?? '')
    if (!accountKeys) return { status: 401, body: { error: 'Unauthorized' } }
    const shown = (key: SimulatedKey) => ({
      ...key,
      api_key: this.showsKeys && query.includes('show_key=true') ? key.api_key : undefined,
    })
    if (path === '/keys' && method === 'GET')
      return {
        status: 200,
        body: {
          status: 'success',
          data: accountKeys
            .filter((key) => key.deleted_at === null || query.includes('include_disabled=true'))
            .map(shown),
        },
      }
    const isNameTaken = (name: unknown, but?: SimulatedKey) =>
      accountKeys.some(
        (key) => key !== but && key.name === name && (key.deleted_at === null || !this.freesNames),
      )
    if (path === '/keys') {
      if (isNameTaken(input['name']))
        return { status: 409, body: { error: 'An API key of this name exists' } }
      return {
        status: 201,
        body: {
          status: 'success',
          data: this.newKey(headers['x-credit-id'] ?? '', {
            usage_limit_usd: null,
            reset_period: null,
            expire_at: null,
            ...input,
          }),
        },
      }
    }
    const key = accountKeys.find(({ _id }) => path === `/keys/${_id}`)
    if (!key) return { status: 404, body: { error: 'API key not found' } }
    if (method === 'GET') return { status: 200, body: { status: 'success', data: shown(key) } }
    if (key.deleted_at !== null) return { status: 409, body: { error: 'API key has been revoked' } }
    if (method === 'PATCH') {
      if (isNameTaken(input['name'], key))
        return { status: 409, body: { error: 'An API key of this name exists' } }
      return { status: 200, body: { status: 'success', data: shown(Object.assign(key, input)) } }
    }
    key.deleted_at = '2026-11-22T06:00:00.000Z'
    return { status: 200, body: { status: 'success', message: 'API key revoked successfully' } }
  }
}

function answer(status: number, body: unknown): Awaited<ReturnType<Fetch>> {
  return {
    status,
    headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
    // oxlint-disable-next-line typescript/require-await -- a body that is there at once
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body))
    })(),
  }
}
