import { plural, t } from '@lingui/core/macro'
import type { Attachment } from '../../../../shared/attachment.ts'
import { formatBytes, formatTokens } from '../../../ui/format/number.ts'

/** The kind of a file and its size, in one line. */
export function factsOf({ kind, bytes, tokens = 0, pages = 1, width, height }: Attachment): string {
  const size = formatBytes(bytes)
  const count = formatTokens(tokens)
  switch (kind) {
    case 'image':
      return width === undefined || height === undefined
        ? t`Image, ${size}`
        : t`Image, ${width} × ${height}, ${size}`
    case 'pdf':
      return plural(pages, {
        one: `PDF, # page, about ${count} tokens`,
        other: `PDF, # pages, about ${count} tokens`,
      })
    case 'text':
      return plural(tokens, { one: `Text, about ${count} token`, other: `Text, about ${count} tokens` })
  }
}
