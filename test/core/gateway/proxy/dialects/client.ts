/** One way for a tool to call the proxy: an official SDK and one of its interfaces. */
export interface Client {
  readonly name: string
  ask(request: Ask): Promise<Reply>
  /** Yields the text piece by piece, for a caller that stops in the middle. */
  pieces(request: Ask): AsyncIterable<string>
  failure(thrown: unknown): Failure
  /** The SDK's error classes, by the statuses of the table that they distinguish. */
  readonly classes: Readonly<Record<400 | 401 | 402 | 403 | 404 | 413 | 429 | 502, ErrorClass>>
  readonly anyError: ErrorClass
}

export interface Access {
  readonly baseUrl: string
  readonly key: string
}

export interface Ask {
  readonly model: string
  readonly turns: readonly Turn[]
  readonly stream?: boolean
  readonly system?: string
  readonly tools?: readonly ToolOffer[]
  readonly toolChoice?: 'auto' | 'required' | 'none' | { readonly name: string }
  readonly oneCallAtATime?: boolean
  readonly schema?: Record<string, unknown>
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

export interface ToolOffer {
  readonly name: string
  readonly parameters: Record<string, unknown>
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export type Turn =
  | { readonly role: 'user'; readonly text: string; readonly image?: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly Call[] }
  | { readonly role: 'results'; readonly results: readonly { readonly id: string; readonly text: string }[] }

export interface Reply {
  readonly text: string
  readonly calls: readonly Call[]
  readonly stop: 'end' | 'length' | 'calls'
  readonly usage: { readonly input: number; readonly output: number }
  readonly privacy: string | null
  readonly receipt: string | null
}

export interface Failure {
  readonly kind: unknown
  readonly status: number | undefined
  readonly code: string | null | undefined
  readonly message: string
}

export function headersOf(response: Response): Pick<Reply, 'privacy' | 'receipt'> {
  return {
    privacy: response.headers.get('x-sotto-privacy'),
    receipt: response.headers.get('x-sotto-receipt'),
  }
}

export type ErrorClass = abstract new (...args: never[]) => Error
