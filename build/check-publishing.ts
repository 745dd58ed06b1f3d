import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { releaseIdentityOf, RELEASE_WORKFLOW } from '../src/shared/release-identity.ts'
import { withRepository } from './name-repository.ts'

/** The environments that the release workflow uses. */
export const RELEASE_ENVIRONMENTS = ['npm', 'signing'] as const

export interface CommandResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}
export type RunCommand = (command: string, args: readonly string[]) => CommandResult

const packageForm = z.looseObject({ repository: z.looseObject({ url: z.string() }).optional() })
const publishersForm = z.array(
  z.looseObject({
    file: z.string().optional(),
    repository: z.string().optional(),
    environment: z.string().optional(),
    permissions: z.array(z.string()).optional(),
  }),
)
const environmentsForm = z.object({ environments: z.array(z.looseObject({ name: z.string() })) })

/**
 * Finds what a release still lacks on npm and GitHub. RELEASING.md explains each step.
 *
 * @param manifest the content of package.json
 * @param repository owner/name on GitHub
 * @param run runs npm or gh. It needs a login at both.
 * @returns one sentence for each missing step, in the order to do them
 */
export function findMissingSetup(manifest: unknown, repository: string, run: RunCommand): readonly string[] {
  const name = z.object({ name: z.string() }).parse(manifest).name
  if (!releaseIdentityOf(withRepository(manifest, repository)))
    return [`${repository} isn't the repository in package.json, or isn't a name on GitHub.`]
  return [...missingOnNpm(name, repository, run), ...missingOnGitHub(repository, run)]
}

function missingOnNpm(name: string, repository: string, run: RunCommand): readonly string[] {
  const view = run('npm', ['view', name, '--json'])
  if (view.status !== 0)
    return [
      /\bE404\b/.test(view.stdout + view.stderr)
        ? `npm has no package ${name}. Publish the first version by hand: trusted publishing can't create a package.`
        : `npm didn't answer whether ${name} exists. Run "npm view ${name}".`,
    ]
  const url = packageForm.safeParse(parseJson(view.stdout)).data?.repository?.url ?? ''
  if (url !== `git+https://github.com/${repository}.git`)
    return [
      `The package ${name} on npm doesn't name the repository ${repository}. If it isn't yours, choose another name.`,
    ]
  const list = run('npm', ['trust', 'list', name, '--json'])
  if (list.status !== 0)
    return [`npm didn't list the trusted publishers of ${name}. Run "npm login" as an owner of the package.`]
  // npm prints one object after the other.
  const publishers = publishersForm.safeParse(
    parseJson(`[${list.stdout.replaceAll(/\}\s*\{/g, '},{')}]`),
  ).data
  const trusted = publishers?.some(
    ({ file, repository: of, environment, permissions }) =>
      file === basename(RELEASE_WORKFLOW) &&
      of === repository &&
      environment === 'npm' &&
      (permissions?.includes('createPackage') ?? true),
  )
  return trusted === true
    ? []
    : [
        `npm doesn't trust the release workflow. Run "npm trust github ${name} --file ${basename(RELEASE_WORKFLOW)} --repo ${repository} --env npm --allow-publish".`,
      ]
}

function missingOnGitHub(repository: string, run: RunCommand): readonly string[] {
  const { status, stdout } = run('gh', ['api', `repos/${repository}/environments`])
  const found = status === 0 ? environmentsForm.safeParse(parseJson(stdout)).data : undefined
  if (!found) return [`GitHub didn't list the environments of ${repository}. Run "gh auth login".`]
  return RELEASE_ENVIRONMENTS.filter((name) =>
    found.environments.every((environment) => environment.name !== name),
  ).map((name) => `The repository has no environment "${name}". Create it in Settings, Environments.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  const repository = process.argv[2] ?? process.env['GITHUB_REPOSITORY'] ?? ''
  const missing = findMissingSetup(manifest, repository, (command, args) =>
    spawnSync(command, args, { encoding: 'utf8', shell: process.platform === 'win32' }),
  )
  for (const step of missing) process.stdout.write(`${step}\n`)
  process.exitCode = missing.length === 0 ? 0 : 1
}
