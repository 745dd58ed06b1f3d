import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { SIGNING_VARIABLES } from '../../build/packaging.ts'

/** Dry runs of the scripts in the release workflows. Tests of the staged rollout are in rollout.test.ts. */
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'sotto-release-steps-'))
const release = join(folder, 'release')
const bin = join(folder, 'bin')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
})
/** The one script of a job that contains `text`. */
function scriptWith(file: string, job: string, text: string): string {
  const { jobs } = workflow.parse(parse(readFileSync(join(root, '.github/workflows', file), 'utf8')))
  const scripts = (jobs[job]?.steps ?? []).flatMap(({ run }) => (run?.includes(text) === true ? run : []))
  expect(scripts).toHaveLength(1)
  return scripts[0] ?? ''
}
/** Runs a script as GitHub does: bash that stops at the first failure, without `pipefail`. */
const bash = (script: string, env: Record<string, string> = {}, cwd = folder) =>
  spawnSync('bash', ['-e', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GITHUB_REF_NAME: 'v1.2.3', GITHUB_REPOSITORY: 'owner/sotto', ...env },
  })
const stubs = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
const stub = (name: string, script: string) => {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}
const git = (cwd: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout.trim()
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(release, { recursive: true })
  mkdirSync(bin)
})

describe('the signing secrets', () => {
  it('are set only for the system that needs them, and ignored if they are missing', () => {
    const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
    const secrets = [...text.matchAll(/^ *(\w+): \$\{\{ (.*secrets\.(\w+).*) \}\}$/gm)]
    expect(secrets.map(([, variable]) => variable).sort()).toEqual([...SIGNING_VARIABLES].sort())
    for (const [, variable = '', expression, secret] of secrets) {
      const system = /^(?:WIN|AZURE)_/.test(variable) ? 'Windows' : 'macOS'
      expect([secret, expression]).toEqual([
        variable,
        `runner.os == '${system}' && secrets.${variable} || ''`,
      ])
    }
  })
})

describe.skipIf(process.platform === 'win32')('a dry run of a release', () => {
  it('publishes the tarball in the folder and fetches nothing', () => {
    const source = join(folder, 'source')
    mkdirSync(source)
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'sotto', version: '1.2.3' }))
    expect(bash('npm pack --pack-destination ../release', {}, source)).toMatchObject({ status: 0 })
    const { status, stdout, stderr } = bash(
      `${scriptWith('release.yml', 'publish', 'npm publish').trim()} --dry-run`,
      {
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_fetch_retries: '0',
        GIT_ALLOW_PROTOCOL: 'none',
      },
    )
    expect(status, stderr).toBe(0)
    expect(stdout).toBe('+ sotto@1.2.3\n')
  }, 60_000)

  it('packs the npm package together with its SBOM', () => {
    stub('node', 'echo "sbom of $*"')
    stub('npm', 'while [ $# -gt 1 ]; do shift; done; echo packed > "$1/sotto-1.2.3.tgz"')
    rmSync(release, { recursive: true })
    expect(bash(scriptWith('release.yml', 'npm', 'npm pack'), stubs)).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(release).sort()).toEqual(['sotto-1.2.3-sbom.cdx.json', 'sotto-1.2.3.tgz'])
  })

  describe('the verification of each file with its attestation', () => {
    const script = scriptWith('release.yml', 'attest', 'verify-release')
    beforeEach(() => {
      writeFileSync(
        join(release, 'SHA256SUMS'),
        ['one.deb', 'two.tgz'].map((name) => `${'a'.repeat(64)}  ${name}\n`).join(''),
      )
      writeFileSync(join(folder, 'bundle.json'), '{}')
    })
    it('passes if every file is genuine', () => {
      stub('node', 'echo "$@"')
      expect(bash(script, { ...stubs, BUNDLE: 'bundle.json' })).toMatchObject({
        status: 0,
        stdout: ['one.deb', 'two.tgz']
          .map((name) => `out/main/sotto.js verify-release release/${name} --tag v1.2.3\n`)
          .join(''),
      })
      expect(readdirSync(release)).toEqual(
        expect.arrayContaining(['one.deb.sigstore.json', 'two.tgz.sigstore.json']),
      )
    })
    it('stops at the first file that is not genuine', () => {
      stub('node', 'echo "$3"; exit 1')
      expect(bash(script, { ...stubs, BUNDLE: 'bundle.json' })).toMatchObject({
        status: 1,
        stdout: 'release/one.deb\n',
      })
    })
  })

  it('creates the release page of the tag with every file', () => {
    stub('gh', 'printf "%s\\n" "$@"')
    for (const name of ['SHA256SUMS', 'sotto-1.2.3.tgz']) writeFileSync(join(release, name), '')
    const { status, stdout } = bash(scriptWith('release.yml', 'page', 'gh release'), stubs)
    expect(status).toBe(0)
    const [notes, ...rest] = stdout.trim().split('\n').reverse()
    expect(rest.reverse().join(' ')).toBe(
      'release create v1.2.3 release/SHA256SUMS release/sotto-1.2.3.tgz --repo owner/sotto --verify-tag --title v1.2.3 --notes',
    )
    expect(notes).toContain('sotto verify-release FILE --tag v1.2.3')
  })

  describe('the preparation of a release', () => {
    const script = scriptWith('prepare-release.yml', 'prepare', 'gh pr create')
    const checkout = join(folder, 'checkout')
    const remote = join(folder, 'remote.git')
    // Git replaces GitHub's address by the folder, so that nothing leaves this computer.
    const env = {
      ...stubs,
      GH_TOKEN: 'token',
      GITHUB_RUN_ID: '7',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.file://${remote}.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://x-access-token:token@github.com/owner/sotto.git',
    }
    beforeEach(() => {
      stub('gh', `echo "$@" > "${join(folder, 'gh-calls')}"`)
      mkdirSync(join(checkout, 'resources'), { recursive: true })
      writeFileSync(join(checkout, 'resources', 'list'), 'old')
      git(folder, 'init', '--quiet', '--bare', remote)
      git(checkout, 'init', '--quiet')
      git(checkout, 'add', '.')
      git(checkout, '-c', 'user.name=a', '-c', 'user.email=a@b.test', 'commit', '--quiet', '-m', 'first')
    })
    it('opens a pull request with a new branch if a resource is newer', () => {
      writeFileSync(join(checkout, 'resources', 'list'), 'new')
      const { status, stderr } = bash(script, env, checkout)
      expect(status, stderr).toBe(0)
      expect(git(remote, 'show', 'prepare-release-7:resources/list')).toBe('new')
      expect(readFileSync(join(folder, 'gh-calls'), 'utf8')).toContain('--head prepare-release-7')
    })
    it('does nothing if every resource is up to date', () => {
      expect(bash(script, env, checkout)).toMatchObject({ status: 0 })
      expect(git(remote, 'branch', '--list')).toBe('')
      expect(readdirSync(folder)).not.toContain('gh-calls')
    })
  })
})
