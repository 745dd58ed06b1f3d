import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'

/**
 * `npm run audit:electron`: runs Electronegativity on the desktop shell's sources. It isn't in package.json
 * because of its many old dependencies, and it runs under its own version of Node.
 */
const SCANNER = '@doyensec/electronegativity@1.10.3'
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@20.20.2`

/**
 * Findings that the scanner can't decide, because it reads one file at a time. A person reviewed each; the
 * text states why it's safe.
 */
export const reviewed: Readonly<Record<string, { readonly in: string; readonly since: string }>> = {
  CSP_GLOBAL_CHECK: {
    in: '',
    since:
      'the policy is a header of every answer of app:// (src/main/app-scheme.ts, headersOf); the scanner looks for a meta element or onHeadersReceived',
  },
  AUXCLICK_JS_CHECK: {
    in: 'open-window.ts',
    since:
      'a middle click asks for a window, and every window is denied (src/main/window-lockdown.ts, setWindowOpenHandler)',
  },
  PRELOAD_JS_CHECK: {
    in: 'open-window.ts',
    since:
      'the preload hands over three values and six calls, and neither ipcRenderer nor Node (src/preload/index.ts)',
  },
  PROTOCOL_HANDLER_JS_CHECK: {
    in: 'system-identity.ts',
    since:
      'a link is one of a closed list, by its schema (src/shared/sotto-link.ts), does nothing by itself, and is confirmed in a native dialog where it touches money, accounts or the service (src/main/open-sotto-link.ts)',
  },
  OPEN_EXTERNAL_JS_CHECK: {
    in: 'open-link.ts',
    since:
      'the address is http or https, has no user, is shown whole in a native dialog and is confirmed there (src/main/open-link.ts)',
  },
}

export interface Finding {
  readonly check: string
  /** Empty if it concerns the whole. */
  readonly file: string
}

const sarifForm = z.object({
  runs: z
    .array(
      z.object({
        results: z.array(
          z.object({
            ruleId: z.string(),
            locations: z
              .array(
                z.object({ physicalLocation: z.object({ artifactLocation: z.object({ uri: z.string() }) }) }),
              )
              .min(1),
          }),
        ),
      }),
    )
    .length(1),
})

/** Reads the scanner's SARIF output, because two writers write its table at once. */
export function readFindings(sarif: string): Finding[] {
  return sarifForm
    .parse(JSON.parse(sarif))
    .runs.flatMap(({ results }) => results)
    .flatMap(({ ruleId, locations }) =>
      locations.map(
        ({
          physicalLocation: {
            artifactLocation: { uri },
          },
        }) => ({ check: ruleId, file: uri === 'file:///' ? '' : basename(uri) }),
      ),
    )
}

const isReviewed = ({ check, file }: Finding): boolean =>
  Object.hasOwn(reviewed, check) && reviewed[check]?.in === file

/**
 * Findings without a review, and reviews without a finding, so that the list stays accurate in both
 * directions.
 */
export function listOpenFindings(results: readonly Finding[]): string[] {
  const gone = Object.keys(reviewed).filter((check) => !results.some((finding) => finding.check === check))
  return [
    ...results
      .filter((finding) => !isReviewed(finding))
      .map(({ check, file }) => `OPEN       ${check} ${file}`),
    ...gone.map((check) => `NOT FOUND  ${check}: take it off the list of build/audit-electron.ts`),
  ]
}

function scan(root: string): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-audit-'))
  try {
    for (const part of ['src/main', 'src/preload', 'package.json'])
      cpSync(join(root, part), join(folder, 'app', part), { recursive: true })
    const table = join(folder, 'findings.sarif')
    const command = `node "$(command -v electronegativity)" -i "${join(folder, 'app')}" -o "${table}"`
    const { status, stderr } = spawnSync(
      'npx',
      ['--yes', '--package', NODE, '--package', SCANNER, '--call', command],
      { cwd: folder, encoding: 'utf8', timeout: 300_000 },
    )
    if (status !== 0 || !existsSync(table)) throw new Error(`the scanner did not come to an end: ${stderr}`)
    return readFindings(readFileSync(table, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const scanResults = scan(join(import.meta.dirname, '..'))
  const open = listOpenFindings(scanResults)
  const looked = scanResults
    .filter(isReviewed)
    .map(({ check, file }) => `looked at  ${check} ${file}: ${reviewed[check]?.since ?? ''}`)
  process.stdout.write(
    `${[...looked, ...open, `${String(scanResults.length)} findings, ${String(open.length)} open`].join('\n')}\n`,
  )
  process.exitCode = open.length === 0 ? 0 : 1
}
