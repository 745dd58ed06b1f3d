import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Published agents. Some download the program for this platform in their own script. */
const packages = {
  '@openai/codex': { version: '0.171.0', script: undefined },
  'opencode-ai': { version: '1.18.33', script: 'postinstall.mjs' },
  '@anthropic-ai/claude-code': { version: '2.1.332', script: 'install.cjs' },
  '@qwen-code/qwen-code': { version: '0.24.4', script: undefined },
  '@mariozechner/pi-coding-agent': { version: '0.73.1', script: undefined },
  'cline': { version: '3.0.65', script: undefined },
  '@continuedev/cli': { version: '1.5.47', script: undefined },
} as const

/**
 * Installs them into a folder that the next run uses again.
 * @param place - the folder for that folder
 * @returns that folder's `.bin`
 */
export async function installAgents(place: string): Promise<string> {
  const wanted = Object.entries(packages).map(([name, { version }]) => `${name}@${version}`)
  const folder = join(place, `sotto-agents-${Object.values(packages).map(({ version }) => version).join('-')}`)
  const bin = join(folder, 'node_modules', '.bin')
  const ready = join(folder, 'ready')
  if (await access(ready).then(() => true, () => false)) return bin
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], { cwd: folder, maxBuffer: 1 << 24 })
  for (const [name, { script }] of Object.entries(packages)) {
    if (script !== undefined) await run(process.execPath, [script], { cwd: join(folder, 'node_modules', name), maxBuffer: 1 << 24 })
  }
  await writeFile(ready, '')
  return bin
}
