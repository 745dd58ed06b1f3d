import { plural } from '@lingui/core/macro'
import { formatTokens } from './number.ts'

/** A request's tokens in one line: "12.4K tokens in, 310 out". */
export function tokenWords(input: number, output: number): string {
  const [sent, received] = [formatTokens(input), formatTokens(output)]
  return plural(input, {
    one: `${sent} token in, ${received} out`,
    other: `${sent} tokens in, ${received} out`,
  })
}
