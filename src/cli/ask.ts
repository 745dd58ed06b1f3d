import { basename } from 'node:path'
import { readSettings } from '../host/settings.ts'
import { MAX_ATTACHMENTS, MAX_TEXT_BYTES } from '../shared/attachment-limits.ts'
import { askOnce, projectNamed } from './chat.ts'
import { exits } from './exit-codes.ts'
import { readAll } from './format.ts'
import { readInput } from './input-file.ts'
import { CommandFailure, type ContractClient } from './client.ts'
import { exitOfThrown, failure, withClient } from './with-client.ts'

export interface AskOptions {
  readonly model?: string
  /** The name of the project whose instructions, parameters, budget and passages apply. */
  readonly project?: string
  /** Sends passages of the project's documents without a question in the terminal. */
  readonly yes?: boolean
  /** Paths of text files that go with the question. */
  readonly file: readonly string[]
}

interface TextFile {
  readonly name: string
  readonly content: Uint8Array<ArrayBuffer>
}

/**
 * `sotto ask`: asks one question about files and piped text, in a chat that isn't saved. The model is private unless it's named.
 * Returns the exit code.
 */
export async function ask(
  question: string | undefined,
  { model, project: name, yes = false, file: paths }: AskOptions,
): Promise<number> {
  try {
    const piped = process.stdin.isTTY ? '' : await readAll()
    const files = await Promise.all(paths.map(readText))
    // Without a question, the piped text is the question.
    if (question !== undefined && piped.trim() !== '')
      files.push({ name: 'standard input.txt', content: new TextEncoder().encode(piped) })
    const text = question ?? piped
    if (text.trim() === '') {
      process.stderr.write('error: missing question. Add it to the command, or pipe it in.\n')
      return exits.unusable
    }
    if (files.length > MAX_ATTACHMENTS) throw new CommandFailure(failure('attachment/too-many'))
    return await withClient(await readSettings(), async (client) => {
      const project = name === undefined ? undefined : await projectNamed(client, name)
      const chosen = model ?? project?.model ?? (await privateModel(client))
      const attachmentIds: string[] = []
      for (const { name, content } of files) {
        const { id } = await client.attachments.add({
          name,
          type: 'text/plain',
          content: new Blob([content]),
          temporary: true,
        })
        attachmentIds.push(id)
      }
      const begin = { temporary: true, ...(project && { projectId: project.id }) }
      return await askOnce(client, { model: chosen, text, begin, attachmentIds, yes })
    })
  } catch (thrown) {
    return exitOfThrown(thrown, false)
  }
}

/**
 * The first private model.
 * @throws {CommandFailure} model/unknown – the service lists none
 */
async function privateModel(client: ContractClient): Promise<string> {
  const found = (await client.models.list()).find((listed) => listed.private)
  if (!found) throw new CommandFailure(failure('model/unknown'))
  return found.id
}

/** The core decides whether the content is text. Only the size is checked before the file is read. */
async function readText(path: string): Promise<TextFile> {
  // UTF-16 takes up to twice as much.
  const content = await readInput(
    path,
    2 * MAX_TEXT_BYTES,
    new CommandFailure(failure('attachment/too-large')),
  )
  return { name: basename(path), content }
}
