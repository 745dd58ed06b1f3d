import type { ServerResponse } from 'node:http'
import type { Refusal } from '../refusal.ts'

export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** In one piece, or written by the route itself; where that fails the connection is dropped. */
export type Answer = Reply | Refusal | ((response: ServerResponse) => Promise<void>)
