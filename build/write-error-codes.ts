import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodeNames, errorCodes, isErrorCode } from '../src/shared/error-codes.ts'
import { formerCodes } from '../src/shared/error-codes/former-codes.ts'
import { toolTextOf } from '../src/shared/tool-texts.ts'

export const ERROR_CODES_PATH = 'docs/error-codes.md'

/** The document that lists every error code: its HTTP status, its meaning, what to do, and the code that it replaced. */
export function renderErrorCodes(): string {
  const former = new Map(Object.entries(formerCodes).map(([old, code]) => [code, old]))
  const codes = errorCodeNames.filter(isErrorCode).sort()
  const codesByArea = Map.groupBy(codes, (code) => code.slice(0, code.indexOf('/')))
  const sections = [...codesByArea].map(([area, codes]) => {
    const rows = codes.map((code) => {
      const { says, remedy } = toolTextOf(code)
      const old = former.get(code)
      return `| \`${code}\` | ${String(errorCodes[code].status)} | ${says} | ${remedy} | ${old === undefined ? '' : `\`${old}\``} |`
    })
    return `## \`${area}\`

| code | status | meaning | what to do | earlier code |
|---|---|---|---|---|
${rows.join('\n')}
`
  })
  return `# Error codes

Every error of Sotto has a code, except a failed check of a verification ([security.md](security.md#steps-of-a-verdict)
lists those). The proxy answers with the HTTP status and puts the code in \`error.code\`. Commands print it with \`--json\`.
Switch on the code, because sentences may change. \`npm run error-codes\` writes this page.

If a code has replaced another one, the last column shows the earlier code. Version 0.1.0 still reads it in stored data.

${sections.join('\n')}`
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', ERROR_CODES_PATH), renderErrorCodes())
