import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { z } from 'zod'
import { clineProviders } from '../../src/shared/tools/cline.ts'
import { shellWords, startTerminal } from '../process/terminal.ts'
import { environment, finished, type Prompt, type SessionAgent, type Setting } from './agent.ts'

/** How long a turn may take. */
const TURN_MS = 120_000

/** With the file that the tool's page shows. */
export const cline: SessionAgent = {
  name: 'Cline (chat completions)',
  write: (file, content) => ({ tool: 'editor', input: { path: file, new_text: content } }),
  sessions: {
    read: (file) => ({ tool: 'read_files', input: { files: [{ path: file }] } }),
    summary: 'Summarize the provided coding session into a concise continuation note',
  },
  seesImages: true,
  async run(setting, prompt) {
    const { bin, folder, facts } = setting
    const data = join(folder, 'data')
    const command = join(bin, 'cline')
    const options = ['--data-dir', data]
    if (prompt.again) return continueInTerminal([command, ...options], setting, prompt)
    await mkdir(join(data, 'settings'), { recursive: true })
    await writeFile(join(data, 'settings', 'providers.json'), clineProviders(facts))
    const text = prompt.image === undefined ? prompt.text : `${prompt.text} @${prompt.image}`
    return finished({ command, args: [...options, text], env: {} }, folder)
  },
}

const sessionSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
})

/** Cline continues a session only in a terminal. */
async function continueInTerminal(
  args: readonly string[],
  { folder }: Setting,
  { text }: Prompt,
): Promise<string> {
  const sessions = join(folder, 'data', 'sessions')
  const id = (await readdir(sessions)).toSorted().at(-1) ?? ''
  const file = join(sessions, id, `${id}.messages.json`)
  await using terminal = startTerminal(`stty rows 50 cols 500; exec ${shellWords([...args, '--id', id])}`, {
    env: { ...environment(folder), TERM: 'xterm-256color' },
    cwd: folder,
  })
  await terminal.shows('Ask anything', TURN_MS)
  // Cline shows the session's title when it has loaded the session, and discards what was typed before.
  await terminal.shows('\u001B]0;> ', TURN_MS)
  // As one paste, because the editor completes names in typed text.
  terminal.type(`\u001B[200~${text}\u001B[201~`)
  await terminal.shows(text.slice(-20), TURN_MS)
  const prompted = JSON.stringify(text).slice(1, -1)
  await vi.waitFor(
    async () => {
      const { messages } = sessionSchema.parse(JSON.parse(await readFile(file, 'utf8')))
      const sent = messages.findLastIndex(({ content }) => JSON.stringify(content).includes(prompted))
      // Cline ignores Enter until it is ready, and shows nothing by which to know that. Without a prompt, Enter does nothing.
      if (sent < 0) terminal.type('\r')
      const last = messages.at(-1)
      if (sent < 0 || last?.role !== 'assistant' || JSON.stringify(last).includes('"tool_use"'))
        throw new Error(`Cline has not replied:\n${terminal.written()}`)
    },
    { timeout: TURN_MS, interval: 1000 },
  )
  return terminal.written()
}
