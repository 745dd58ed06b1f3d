import { errorCodes, type ErrorCode, type ErrorText } from './error-codes.ts'
import type { ToolText } from './error-codes/error-entry.ts'
import { paymentTexts } from './tool-texts/payments.ts'
import { privacyTexts } from './tool-texts/privacy.ts'
import { requestTexts } from './tool-texts/requests.ts'

/** Failures of what only the window and the command line can do. The proxy never answers with one of these codes. */
type OwnerCode = Extract<
  ErrorCode,
  | `${'account' | 'attachment' | 'conversation' | 'desktop' | 'self-test' | 'folder' | 'knowledge' | 'library' | 'local-key' | 'profile' | 'project' | 'prompt' | 'proof' | 'receipt' | 'sandbox' | 'studio' | 'team' | 'tools' | 'topup' | 'update' | 'voice'}/${string}`
  | `privacy/consent-${string}`
  | 'privacy/consent-required'
  | 'privacy/no-release-waiting'
  | 'privacy/measurement-unknown'
>

/**
 * The text for tools and the command line, in English only. It may name routes, headers, environment variables and options, but no part of the
 * window. A new code needs an entry unless it is an owner's; `same` if the person's text is right for a tool too.
 */
const toolTexts: Readonly<Record<Exclude<ErrorCode, OwnerCode>, ToolText>> = {
  ...requestTexts,
  ...privacyTexts,
  ...paymentTexts,
}

/** The text for readers outside the window. */
export function toolTextOf(code: ErrorCode): ErrorText {
  const text = hasToolText(code) ? toolTexts[code] : 'same'
  return text === 'same' ? errorCodes[code] : text
}

export function hasToolText(code: ErrorCode): code is keyof typeof toolTexts {
  return Object.hasOwn(toolTexts, code)
}
