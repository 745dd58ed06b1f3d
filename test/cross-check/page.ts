import { rows, type Row } from './rows.ts'

export const CROSS_CHECKS_PATH = 'docs/cross-checks.md'

const NAMES = {
  'tinfoil-bundle': '`@tinfoilsh/verifier` 1.1.0',
  'tinfoil-report': '`@tinfoilsh/verifier` 1.1.0, report only',
  'dcap-qvl': '`@phala/dcap-qvl` 0.3.9',
} as const

/** The document that lists what Sotto and other verifiers answer to genuine evidence. */
export function renderCrossChecks(): string {
  return `# Cross-checks with other verifiers

Sotto's verifier and published ones judge the same genuine evidence at the same time. Sotto judges with the policy of its
preset, without the minimum log time, because this evidence is older than the release. Sotto's TDX rows accept the older
evaluation numbers and the TDX module of that time. Everything else is in force.

\`test/build/cross-checks.test.ts\` repeats the columns of Sotto and \`@phala/dcap-qvl\`. \`npm run cross-check\` installs Tinfoil's
verifier in a temporary folder and repeats its column. That package isn't a dependency, because of its license (AGPL). It reads
SEV-SNP evidence of version 2 only. No published npm package reads version 3.

| Evidence | Time | Sotto | Other verifier | Its answer | Why they differ |
|---|---|---|---|---|---|
${rows.map(line).join('\n')}

Two more comparisons use changed evidence. \`test/verifier/tdx/dcap-qvl.test.ts\` lists each difference from
\`@phala/dcap-qvl\` on mutated quotes and collateral. \`npm run conformance\` runs vectors written from the public descriptions.
`
}

function line({ evidence, at, answer, other, note }: Row): string {
  return `| \`${evidence}\` | ${at} | \`${answer}\` | ${other ? NAMES[other.by] : '–'} | ${other?.answer ?? '–'} | ${note ?? ''} |`
}
