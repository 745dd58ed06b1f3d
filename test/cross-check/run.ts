import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CROSS_CHECKS_PATH, renderCrossChecks } from './page.ts'
import { rows } from './rows.ts'
import { askTinfoil } from './tinfoil.ts'

const PACKAGE = '@tinfoilsh/verifier'
/** The range that the package asks for has no published version, so it's replaced with the version that exists. */
const MANIFEST = {
  private: true,
  dependencies: { [PACKAGE]: '1.1.0' },
  overrides: { '@freedomofpress/tuf-browser': '0.1.8' },
}

/** `npm run cross-check [-- --write]`: installs Tinfoil's published verifier in a temporary folder and compares its answers with the page's. */
const folder = mkdtempSync(join(tmpdir(), 'sotto-cross-check-'))
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  })
  const address = pathToFileURL(join(folder, 'node_modules', PACKAGE, 'dist/index.js')).href
  let differing = 0
  for (const row of rows) {
    const answer = await askTinfoil(row, address)
    if (answer === undefined) continue
    const expected = row.other?.answer === answer
    if (!expected) differing++
    console.log(`${expected ? 'as listed' : 'DIFFERENT'}  ${row.evidence} at ${row.at}: ${answer}`)
  }
  if (process.argv.includes('--write'))
    writeFileSync(join(import.meta.dirname, '../..', CROSS_CHECKS_PATH), renderCrossChecks())
  process.exitCode = differing === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
