import { conversationErrors } from './error-codes/conversations.ts'
import { databaseErrors } from './error-codes/database.ts'
import { errorTypeOf, type ErrorEntry, type ErrorType } from './error-codes/error-entry.ts'
import { formerCodes } from './error-codes/former-codes.ts'
import { knowledgeErrors } from './error-codes/knowledge.ts'
import { localKeyErrors } from './error-codes/local-keys.ts'
import { paymentErrors } from './error-codes/payments.ts'
import { privacyErrors } from './error-codes/privacy.ts'
import { releaseErrors } from './error-codes/releases.ts'
import { requestErrors } from './error-codes/requests.ts'
import { serviceErrors } from './error-codes/service.ts'
import { storageErrors } from './error-codes/storage.ts'
import { studioErrors } from './error-codes/studio.ts'
import { teamErrors } from './error-codes/team.ts'
import { toolErrors } from './error-codes/tools.ts'

export type { ErrorText } from './error-codes/error-entry.ts'

/** Every coded failure of Sotto except a failed check of a verification. Codes are stable; sentences may be improved. */
export const errorCodes = {
  ...requestErrors,
  ...localKeyErrors,
  ...privacyErrors,
  ...paymentErrors,
  ...serviceErrors,
  ...storageErrors,
  ...databaseErrors,
  ...conversationErrors,
  ...knowledgeErrors,
  ...studioErrors,
  ...releaseErrors,
  ...toolErrors,
  ...teamErrors,
}

export type ErrorCode = keyof typeof errorCodes
export const errorCodeNames = Object.keys(errorCodes)

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code)
}

/** The code that a stored text names: itself, or the replacement of a code of an earlier version. Undefined if Sotto has no such code. */
export function currentErrorCode(text: string): ErrorCode | undefined {
  if (isErrorCode(text)) return text
  return Object.hasOwn(formerCodes, text) ? formerCodes[text] : undefined
}

/** The `type` of OpenAI's errors for a code. */
export function errorType(code: ErrorCode): ErrorType {
  const entry: ErrorEntry = errorCodes[code]
  return errorTypeOf(entry)
}
