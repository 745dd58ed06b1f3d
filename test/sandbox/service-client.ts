import { startTestSandbox } from './cached-roots.ts'
import type { Sandbox, SandboxControl, SandboxOptions } from '../../src/sandbox/index.ts'

interface Item {
  readonly _id: string
  readonly name: string
  readonly api_key: string
  readonly created_at: string
  readonly updated_at: string
  readonly deleted_at: string | null
  readonly reset_at: string | null
  readonly current_period_usage_usd: number
  readonly total_usage_all_time_usd: number
  readonly timestamp: string
}

/** What the service answered, as far as tests look into it: which members are there is for each test to expect. */
export interface AnsweredBody {
  readonly type: string
  readonly status: string
  readonly error: unknown
  readonly field: string | undefined
  readonly message: string
  readonly balance: number
  readonly credit_id: string
  readonly api_key: string
  readonly data: Item & Item[]
  readonly pagination: unknown
  readonly supported_methods: { readonly method: string }[]
  readonly invoice_id: string
  readonly lightning_invoice: string
  readonly payment_address: string
  readonly crypto_amount_due: string
  readonly created_at: number
  readonly expires_at: number
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: AnsweredBody
}

/** A sandbox with its ledger in memory, a clock that the test moves, and an account without a welcome. */
export interface Service extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly control: SandboxControl
  readonly clock: { now: number }
  readonly account: { readonly creditId: string; readonly apiKey: string }
  /** A request with JSON in and out; text where the answer is none. */
  call(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Record<string, string> },
  ): Promise<Answered>
}

export const dollar = 1_000_000_000_000n

export async function startService(options: Partial<SandboxOptions> = {}): Promise<Service> {
  const clock = { now: Date.UTC(2026, 10, 18, 12) }
  const sandbox = await startTestSandbox({ ledger: 'memory', now: () => clock.now, ...options })
  const control = await sandbox.control()
  return {
    sandbox,
    control,
    clock,
    account: control.createAccount(10n * dollar),
    call: (method, path, { body, headers = {} } = {}) =>
      request(sandbox.baseUrl + path, method, body, headers),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

export async function request(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : text) as AnsweredBody,
  }
}

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
export const creditId = (id: string) => ({ 'x-credit-id': id })

/** A question whose price the test can know. */
export const question = {
  model: 'sandbox/allegro-mini',
  messages: [{ role: 'user', content: 'A plan for a small garden' }],
}
