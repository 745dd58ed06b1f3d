import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { z } from 'zod'
import { continueConfig } from '../../src/shared/tools/editors.ts'
import { shellWords, startTerminal } from '../process/terminal.ts'
import { environment, finished, type SessionAgent, type Setting } from './agent.ts'

/** How long a turn may take. */
const TURN_MS = 120_000
const CTRL_V = '\u0016'

/** With the file that the tool's page shows. */
export const continueCli: SessionAgent = {
  name: 'Continue (chat completions)',
  write: (file, content) => ({ tool: 'Write', input: { filepath: file, content } }),
  sessions: {
    read: (file) => ({ tool: 'Read', input: { filepath: file } }),
    summary: 'Please provide a concise summary of our conversation so far',
  },
  seesImages: true,
  async run(setting, { text, image, again }) {
    const { bin, folder, facts } = setting
    const config = join(folder, 'config.yaml')
    await writeFile(config, continueConfig(facts))
    const command = join(bin, 'cn')
    const options = ['--config', config, '--auto']
    if (image !== undefined) return pasteInTerminal([command, ...options], setting, text, image)
    return finished(
      {
        command,
        args: [...options, ...(again ? ['--resume'] : []), '-p', text],
        env: { CONTINUE_TELEMETRY_ENABLED: '0' },
      },
      folder,
    )
  },
}

const sessionSchema = z.object({
  history: z.array(z.object({ message: z.object({ role: z.string(), content: z.unknown() }) })),
})

/** Continue takes an image only from the clipboard, which it reads with xclip. */
async function pasteInTerminal(
  args: readonly string[],
  { folder }: Setting,
  text: string,
  image: string,
): Promise<string> {
  const { PATH = '', ...rest } = environment(folder)
  await using terminal = startTerminal(`stty rows 50 cols 200; exec ${shellWords(args)}`, {
    env: {
      ...rest,
      PATH: `${await clipboardWith(image, folder)}:${PATH}`,
      TERM: 'xterm-256color',
      CONTINUE_TELEMETRY_ENABLED: '0',
    },
    cwd: folder,
  })
  await terminal.shows('Ask anything', TURN_MS)
  terminal.type(text)
  // With the cursor of Continue after it. The terminal echoes what comes before Continue reads keys, and takes Ctrl-V itself.
  await terminal.shows(`${text}\u001B[7m`, TURN_MS)
  terminal.type(CTRL_V)
  await terminal.shows('[Image #1]', TURN_MS)
  terminal.type('\r')
  const sessions = join(folder, '.continue', 'sessions')
  const reply = await vi
    .waitFor(
      async () => {
        const names = (await readdir(sessions)).filter((name) => name !== 'sessions.json')
        const { history } = sessionSchema.parse(
          JSON.parse(await readFile(join(sessions, names[0] ?? ''), 'utf8')),
        )
        const last = history.at(-1)?.message
        if (last?.role !== 'assistant' || last.content === '') throw new Error('Continue has not replied')
        return JSON.stringify(last.content)
      },
      { timeout: TURN_MS, interval: 200 },
    )
    .catch((error: unknown) => {
      throw new Error(terminal.written(), { cause: error })
    })
  return `${terminal.written()}\n${reply}`
}

/** A folder with an `xclip` that writes the image, because a machine without a display has no clipboard. */
async function clipboardWith(image: string, folder: string): Promise<string> {
  const programs = join(folder, 'programs')
  await mkdir(programs)
  const xclip = join(programs, 'xclip')
  await writeFile(xclip, `#!/bin/sh\nexec cat ${shellWords([image])}\n`)
  await chmod(xclip, 0o755)
  return programs
}
