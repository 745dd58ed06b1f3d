import { Client, type Transport } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { ServerProcess, type ServerStart } from './server-process.ts'
import { failedResult, parseToolResult, type ToolResult } from './tool-result.ts'

const START_MS = 20_000
/** How long a call may take, without the time in which a person decides. */
const CALL_MS = 120_000
const MAX_PAGES = 10

const pageSchema = z.object({ tools: z.array(z.unknown()).max(1000), nextCursor: z.string().optional() })

/** A connection to a running server, which is a program here or at an address. */
export interface ServerSession {
  /** The definitions as the server states them, not parsed. Throws tools/server-failed. */
  listTools(): Promise<unknown[]>
  /**
   * Calls a tool exactly once, without a retry. Throws tools/server-failed or tools/server-unreachable if no answer
   * arrived, so that it's unknown whether the tool ran.
   */
  call(name: string, args: JsonObject, signal: AbortSignal): Promise<ToolResult>
  /** Ends the server with its process group. */
  close(): Promise<void>
  /** Resolves when the server has ended. */
  readonly closed: Promise<void>
}

/**
 * Starts a stdio server and connects to it. Throws tools/server-failed.
 */
export async function connectServer(start: ServerStart, version: string): Promise<ServerSession> {
  return connect(new ServerProcess(start), version, {
    toError: (cause) => new SottoError('tools/server-failed', { cause }),
  })
}

interface ConnectOptions {
  /** The error for an answer that didn't arrive or can't be read. */
  readonly toError: (cause: unknown) => SottoError
  /** Ends the connection after such an error, so that the next use connects again. */
  readonly endsOnFailure?: boolean
}

/**
 * Connects to a server. The client offers the server nothing: no sampling, no roots and no questions to the person.
 * Throws what `toError` returns.
 */
export async function connect(
  transport: Transport,
  version: string,
  { toError, endsOnFailure = false }: ConnectOptions,
): Promise<ServerSession> {
  const client = new Client({ name: 'sotto', version }, { capabilities: {} })
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  try {
    await client.connect(transport, { timeout: START_MS })
  } catch (cause) {
    await transport.close()
    throw toError(cause)
  }

  async function page(cursor: string | undefined): Promise<z.infer<typeof pageSchema>> {
    const listed = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      { timeout: START_MS },
    )
    return pageSchema.parse(listed)
  }

  return {
    closed,
    async listTools() {
      try {
        const tools: unknown[] = []
        let cursor: string | undefined
        for (let pages = 0; pages < MAX_PAGES; pages += 1) {
          const listed = await page(cursor)
          tools.push(...listed.tools)
          cursor = listed.nextCursor
          if (cursor === undefined) break
        }
        return tools
      } catch (cause) {
        throw toError(cause)
      }
    },
    async call(name, args, signal) {
      try {
        const answer = await client.request(
          { method: 'tools/call', params: { name, arguments: args } },
          { signal, timeout: CALL_MS, maxTotalTimeout: CALL_MS },
        )
        return parseToolResult(answer)
      } catch (cause) {
        if (signal.aborted) throw new SottoError('request/canceled')
        // The server answered that the call is wrong, so that the model can correct it.
        const message = protocolMessage(cause)
        if (message !== undefined) return failedResult(message)
        if (endsOnFailure) void client.close().catch(() => undefined)
        throw toError(cause)
      }
    },
    async close() {
      await client.close().catch(() => undefined)
      await transport.close()
    },
  }
}

const protocolErrorSchema = z.object({ name: z.literal('ProtocolError'), message: z.string() })

/** The text of an error answer of the server; undefined for any other failure. */
function protocolMessage(cause: unknown): string | undefined {
  const { success, data } = protocolErrorSchema.safeParse(cause)
  return success ? parseToolResult({ content: [{ type: 'text', text: data.message }] }).text : undefined
}
