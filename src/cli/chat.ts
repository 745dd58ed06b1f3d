import { createInterface } from 'node:readline'
import { readSettings } from '../host/index.ts'
import { failureLine, failureOf, throughDoor, type DoorClient } from './door-client.ts'

export interface ChatOptions {
  readonly model?: string
  /** One question; without it, a conversation at the terminal, or the whole of a piped standard input. */
  readonly prompt?: string
}

/** `sotto chat`: streams to the terminal. Ctrl-C stops the answer, and with it what it costs. Returns the exit code. */
export async function chat({ model, prompt }: ChatOptions): Promise<number> {
  try {
    return await throughDoor(await readSettings(), async (client) => {
      const chosen = model ?? (await defaultModel(client))
      if (prompt !== undefined) return (await ask(client, { model: chosen, text: prompt })).code
      if (!process.stdin.isTTY) return (await ask(client, { model: chosen, text: await readAll() })).code
      return converse(client, chosen)
    })
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (!failure) throw thrown
    process.stderr.write(`${failureLine(failure)}\n`)
    return 1
  }
}

/** A private model before any other. */
async function defaultModel(client: DoorClient): Promise<string> {
  const models = await client.models.list()
  return (models.find((listed) => listed.private) ?? models[0])?.id ?? 'private/model'
}

async function ask(client: DoorClient, input: { model: string; text: string; conversationId?: string }): Promise<{ code: number; conversationId: string | undefined }> {
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  let conversationId = input.conversationId
  try {
    for await (const event of await client.chat.send(input, { signal: stop.signal })) {
      if (event.type === 'started') conversationId = event.conversation.id
      if (event.type === 'stage' && process.stderr.isTTY) process.stderr.write(`\r\u001b[K${event.stage}…`)
      if (event.type === 'delta' && event.text !== undefined) {
        if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
        process.stdout.write(terminalSafe(event.text))
      }
      if (event.type === 'ended') {
        process.stdout.write('\n')
        if (event.failure) {
          process.stderr.write(`${failureLine(event.failure)}\n`)
          return { code: 1, conversationId }
        }
        if (process.stderr.isTTY) process.stderr.write(`[${event.answer.privacy ?? ''}${event.receipt?.cost === undefined ? '' : `, receipt ${event.receipt.id}`}]\n`)
      }
    }
    return { code: 0, conversationId }
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown
    process.stderr.write('\nStopped.\n')
    return { code: 130, conversationId }
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

async function converse(client: DoorClient, model: string): Promise<number> {
  process.stderr.write(`${model}. An empty line or Ctrl-D ends.\n`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ' })
  let conversationId: string | undefined
  terminal.prompt()
  for await (const line of terminal) {
    if (line.trim() === '') break
    const answered = await ask(client, { model, text: line, ...(conversationId !== undefined && { conversationId }) })
    conversationId = answered.conversationId
    terminal.prompt()
  }
  terminal.close()
  return 0
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  return text
}

/** What the service sends could move the cursor or retitle the window: control characters other than breaks and tabs go. */
export function terminalSafe(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (control) => (control === '\n' || control === '\t' ? control : ''))
}
