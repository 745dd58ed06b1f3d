import { createInterface, type Interface } from 'node:readline'
import { isEmptyAnswer } from '../shared/empty-answer.ts'
import type { Project } from '../shared/project.ts'
import { readSettings } from '../host/settings.ts'
import { exits } from './exit-codes.ts'
import { readAll, terminalSafe } from './format.ts'
import { CommandFailure, failureLine, type ContractClient } from './client.ts'
import { privacyNames, stageNames } from './labels.ts'
import { choosePassages } from './passages.ts'
import { agreedHere } from './studio/pay-job.ts'
import { listenForInterrupt } from './stoppable.ts'
import { exitOfThrown, failure, withClient } from './with-client.ts'

export interface ChatOptions {
  readonly model?: string
  /** The name of the project in which the chat begins. */
  readonly project?: string
  /** Sends passages of the project's documents without a question in the terminal. */
  readonly yes?: boolean
  /**
   * A single question. Without it, the command starts a conversation in the terminal, or reads all of a piped
   * standard input.
   */
  readonly prompt?: string
}

/** `sotto chat`: streams replies to the terminal. Ctrl-C stops a reply and its cost. Returns the exit code. */
export async function chat({ model, project: name, prompt, yes = false }: ChatOptions): Promise<number> {
  try {
    return await withClient(await readSettings(), async (client) => {
      const project = name === undefined ? undefined : await projectNamed(client, name)
      const chosen = model ?? project?.model ?? (await defaultModel(client))
      const start = { model: chosen, yes, ...(project && { begin: { projectId: project.id } }) }
      if (prompt === undefined && process.stdin.isTTY) return converse(client, start)
      return await askOnce(client, { ...start, text: prompt ?? (await readAll()) })
    })
  } catch (thrown) {
    return exitOfThrown(thrown, false)
  }
}

/** The first private model, otherwise the first model. */
async function defaultModel(client: ContractClient): Promise<string> {
  const models = await client.models.list()
  return (models.find((listed) => listed.private) ?? models[0])?.id ?? 'private/model'
}

/**
 * The project with this name, in any case.
 * @throws {CommandFailure} project/unknown – none has it, or several have it
 */
export async function projectNamed(client: ContractClient, name: string): Promise<Project> {
  const wanted = name.trim().toLocaleLowerCase()
  const [found, ...others] = (await client.projects.list()).filter(
    (project) => !project.damaged && project.name.toLocaleLowerCase() === wanted,
  )
  if (!found || others.length > 0) throw new CommandFailure(failure('project/unknown'))
  return found
}

/** What a question of this command consists of. */
export interface Question extends ChatStart {
  readonly text: string
  readonly attachmentIds?: string[]
}

interface ChatStart {
  readonly model: string
  readonly begin?: { readonly projectId?: string; readonly temporary?: boolean }
  /** Passages of the project are sent without a question in the terminal. */
  readonly yes?: boolean
}

/** Streams the reply to one question. Returns the exit code. */
export async function askOnce(client: ContractClient, { yes = false, ...input }: Question): Promise<number> {
  using interrupt = listenForInterrupt()
  const { signal } = interrupt
  const { model, text, begin } = input
  const projectId = begin?.projectId
  const passageIds =
    projectId === undefined
      ? []
      : await choosePassages(
          client,
          { projectId, model, text },
          { yes, ...(process.stdin.isTTY && { ask: (question) => agreedHere(question, signal) }) },
        )
  if (signal.aborted) return exits.interrupted
  const { code, conversationId } = await ask(
    client,
    { ...input, ...(passageIds.length > 0 && { passageIds }) },
    signal,
  )
  if (input.begin?.temporary === true && conversationId !== undefined)
    await client.conversations.endTemporary({ conversationIds: [conversationId] })
  return code
}

interface Asked {
  readonly code: number
  readonly conversationId: string | undefined
}

async function ask(
  client: ContractClient,
  input: Omit<Question, 'yes'> & { readonly conversationId?: string; readonly passageIds?: string[] },
  stop: AbortSignal,
): Promise<Asked> {
  let conversationId = input.conversationId
  let staged = false
  const stopped = (): Asked => {
    process.stderr.write('\nStopped.\n')
    return { code: exits.interrupted, conversationId }
  }
  try {
    for await (const event of await client.chat.send(input, { signal: stop })) {
      if (event.type === 'started') conversationId = event.conversation.id
      if (event.type === 'stage' && process.stderr.isTTY) {
        process.stderr.write(`\r\u001b[K${stageNames[event.stage]}`)
        staged = true
      }
      if (event.type === 'delta' && event.text !== undefined) {
        // Clears the stage only once, because the reply follows on the same line.
        if (staged) process.stderr.write('\r\u001b[K')
        staged = false
        process.stdout.write(terminalSafe(event.text))
      }
      if (event.type === 'ended') {
        if (event.failure && stop.aborted) return stopped()
        process.stdout.write('\n')
        if (event.failure) {
          process.stderr.write(`${failureLine(event.failure)}\n`)
          return { code: 1, conversationId }
        }
        const { unshown = [] } = event.answer
        if (isEmptyAnswer(event.answer)) process.stderr.write('The reply is empty.\n')
        for (const { type, count } of unshown)
          process.stderr.write(`Not shown: ${terminalSafe(type)} (${String(count)}).\n`)
        if (process.stderr.isTTY)
          process.stderr.write(
            `[${event.answer.privacy ? privacyNames[event.answer.privacy] : ''}${event.receipt?.cost === undefined ? '' : `, receipt ${event.receipt.id}`}]\n`,
          )
      }
    }
    // A canceled stream may end like a complete one.
    return stop.aborted ? stopped() : { code: 0, conversationId }
  } catch (thrown) {
    if (!stop.aborted) throw thrown
    return stopped()
  }
}

async function converse(client: ContractClient, { model, begin, yes = false }: ChatStart): Promise<number> {
  process.stderr.write(`Model: ${model}. To leave, press Enter on an empty line or Ctrl-D.\n`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ' })
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  const hasClosed = (): boolean => closed.signal.aborted
  let answering: AbortController | null = null
  const onInterrupt = (): void => (answering ? answering.abort() : terminal.close())
  // While readline reads lines, Ctrl-C reaches it as a key, and the process gets no signal.
  terminal.on('SIGINT', onInterrupt)
  process.on('SIGINT', onInterrupt)
  let conversationId: string | undefined
  const questions = typedQuestions(terminal)
  try {
    terminal.prompt()
    const agrees = async (question: string): Promise<boolean> => {
      process.stderr.write(`${question} [y/N] `)
      const typed = await questions.next()
      return !typed.done && /^y(?:es)?$/i.test(typed.value.trim())
    }
    for (let typed = await questions.next(); !typed.done; typed = await questions.next()) {
      const text = typed.value
      if (text.trim() === '') break
      const projectId = begin?.projectId
      const passageIds =
        projectId === undefined
          ? []
          : await choosePassages(client, { projectId, model, text }, { yes, ask: agrees })
      // Ctrl-D at the question about passages ends the chat.
      if (hasClosed()) break
      answering = new AbortController()
      const answered = await ask(
        client,
        {
          model,
          text,
          ...(passageIds.length > 0 && { passageIds }),
          ...(conversationId === undefined ? begin && { begin } : { conversationId }),
        },
        answering.signal,
      )
      answering = null
      conversationId = answered.conversationId
      if (!hasClosed()) terminal.prompt()
    }
  } finally {
    process.off('SIGINT', onInterrupt)
    terminal.close()
    await questions.return()
  }
  return 0
}

/**
 * Lets the terminal mark where pasted text begins and ends (xterm's bracketed paste mode). readline reports
 * the marks as keys.
 */
const MARK_PASTES = '\u001b[?2004h'
const LEAVE_UNMARKED = '\u001b[?2004l'

/**
 * Yields each typed question, which ends with Enter. Pasted line breaks end no question. Otherwise Sotto
 * would send and pay for each pasted line separately, and the shell would run the lines after an empty one.
 * Ends with the terminal.
 */
async function* typedQuestions(terminal: Interface): AsyncGenerator<string, void> {
  let pasting = false
  const onKey = (_text: string | undefined, key: { readonly name?: string | undefined }): void => {
    if (key.name === 'paste-start') pasting = true
    if (key.name === 'paste-end') pasting = false
  }
  /** For each pending line, whether it was pasted. */
  const pasted: boolean[] = []
  terminal.on('line', () => pasted.push(pasting))
  process.stdin.on('keypress', onKey)
  if (process.stderr.isTTY) process.stderr.write(MARK_PASTES)
  try {
    let lines: string[] = []
    for await (const line of terminal) {
      lines.push(line)
      if (pasted.shift()) continue
      yield lines.join('\n')
      lines = []
    }
  } finally {
    process.stdin.off('keypress', onKey)
    if (process.stderr.isTTY) process.stderr.write(LEAVE_UNMARKED)
  }
}
