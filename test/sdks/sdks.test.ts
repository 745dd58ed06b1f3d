import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Receipt } from '../../src/shared/receipt.ts'
import { formsOf } from '../canary.ts'
import { installPublished } from '../published-packages.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'

const run = promisify(execFile)
const EMBEDDING_MODEL = 'sandbox/eco-embedding-small'

const packages = {
  ai: { version: '7.0.173' },
  '@ai-sdk/openai': { version: '4.0.118' },
  '@ai-sdk/openai-compatible': { version: '3.0.92' },
  '@ai-sdk/anthropic': { version: '4.0.105' },
  '@langchain/core': { version: '1.4.0' },
  '@langchain/openai': { version: '1.6.0' },
  '@langchain/anthropic': { version: '1.5.11' },
  '@openai/agents': { version: '0.20.0' },
  '@llamaindex/core': { version: '0.6.23' },
  '@llamaindex/openai': { version: '0.4.23' },
  ollama: { version: '0.6.4' },
  zod: { version: '4.6.7' },
} as const

/** A program of test/sdks/programs, the API that it calls, and the parts of its report that this API has. */
const programs = [
  ['ai-sdk', 'openai', ['structured', 'vectors']],
  ['ai-sdk', 'compatible', ['structured', 'vectors']],
  ['ai-sdk', 'anthropic', []],
  ['langchain', 'chat', ['structured', 'vectors']],
  ['langchain', 'responses', ['structured', 'vectors']],
  ['langchain', 'anthropic', []],
  ['openai-agents', 'chat', []],
  ['openai-agents', 'responses', []],
  ['llamaindex', 'chat', ['vectors']],
  ['ollama', 'ollama', ['structured', 'vectors']],
] as const

const text = z.string().min(20)
const reportSchema = z.object({
  whole: text,
  streamed: text,
  afterTool: text,
  secondTurn: text,
  called: z.array(z.string()),
  structured: z.object({ city: z.string() }).optional(),
  vectors: z.array(z.number()).optional(),
})

/** Where the SDKs are fetched into. */
const within = process.env['SOTTO_SDKS']

/** Two hundred megabytes are fetched for it: `npm run test:sdks`. */
describe.skipIf(within === undefined)('published SDKs with their defaults', () => {
  let folder: string
  let world: World
  beforeAll(async () => {
    folder = await installPublished(packages, within ?? '')
    await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true })
    world = await startWorld()
  }, 600_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.sandbox.clearReceived())

  describe.each([
    [PRIVATE_MODEL, 'sealed'],
    [PLAINTEXT_MODEL, 'forwarded'],
  ] as const)('with %s', (model, privacy) => {
    it.each(programs)(
      '%s (%s): an answer, a stream, a tool call and a second turn',
      async (program, way, parts) => {
        const sent = world.outbound.length
        const known = new Set((await receipts()).map(({ id }) => id))
        const env = {
          PATH: process.env['PATH'],
          SOTTO_BASE_URL: world.baseUrl,
          SOTTO_KEY: world.key,
          SOTTO_MODEL: model,
          SOTTO_EMBEDDING_MODEL: EMBEDDING_MODEL,
          SOTTO_WAY: way,
        }
        const { stdout } = await run(process.execPath, [`${program}.mjs`], {
          cwd: folder,
          env,
          maxBuffer: 1 << 24,
        })
        const report = reportSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
        expect(report.called).toEqual(['Oslo'])
        expect(report.streamed).toBe(report.whole)
        for (const part of parts) expect(report[part]).toBeDefined()
        if (report.vectors) expect(report.vectors).toEqual([512, 512])
        const chats = (await receipts()).filter(
          ({ id, path }) => !known.has(id) && !path.endsWith('/embeddings'),
        )
        expect(new Set(chats.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(
          new Set([`${privacy} complete`]),
        )
        if (privacy === 'sealed')
          expect(formsOf('about whispers', Buffer.concat(world.outbound.slice(sent)))).toEqual([])
      },
      120_000,
    )
  })

  async function receipts(): Promise<Receipt[]> {
    return (await world.call('receipts/list', {})) as Receipt[]
  }
})
