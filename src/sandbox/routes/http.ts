import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Refusal } from '../refusal.ts'

/** The body as it arrived; nothing where there was none. */
export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .header('content-type', refusal.contentType)
    .send(refusal.body)
}

/** Leaves the answer to `write`; where that fails the connection is dropped, for a half answer must not look whole. */
export async function hijacked(
  reply: FastifyReply,
  write: (response: ServerResponse) => Promise<void>,
): Promise<FastifyReply> {
  reply.hijack()
  try {
    await write(reply.raw)
  } catch {
    reply.raw.destroy()
  }
  return reply
}
