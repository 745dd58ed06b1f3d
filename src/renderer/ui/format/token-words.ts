import { plural } from '@lingui/core/macro'
import { formatCount } from './number.ts'

/** What a request took in and gave out, in one line. */
export function tokenWords(input: number, output: number): string {
  const out = formatCount(output)
  return plural(input, { one: `# token in, ${out} out`, other: `# tokens in, ${out} out` })
}
