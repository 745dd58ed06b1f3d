import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
})

/**
 * Finds the one script of a job that contains a text.
 * @throws {Error} if there is none, or more than one
 */
export function stepOf(root: string, job: string, contained: string): string {
  const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
  const { jobs } = workflow.parse(parse(text))
  const scripts = (jobs[job]?.steps ?? []).flatMap(({ run }) => (run?.includes(contained) ? run : []))
  const [script] = scripts
  if (script === undefined || scripts.length > 1)
    throw new Error(`release.yml has ${String(scripts.length)} steps of ${job} with "${contained}"`)
  return script
}

/** Runs a command and returns its output. @throws {Error} with its output, unless it exits with `expected` */
export function runIn(
  folder: string,
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  expected = 0,
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...OFFLINE, ...env },
    maxBuffer: 1 << 26,
  })
  if (error) throw error
  if (status !== expected)
    throw new Error(`${command} ${args.join(' ')}: exit ${String(status)}\n${stdout}${stderr}`)
  return stdout
}

/** Addresses at which nothing listens, so that a step that needs the network fails. */
const OFFLINE = {
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_offline: 'true',
  npm_config_fetch_retries: '0',
  HTTPS_PROXY: 'http://127.0.0.1:9/',
  HTTP_PROXY: 'http://127.0.0.1:9/',
  GIT_ALLOW_PROTOCOL: 'file',
}
