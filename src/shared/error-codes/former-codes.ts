import type { ErrorCode } from '../error-codes.ts'

/**
 * Codes of development versions, with the code that replaced each. They're read for one release. Stored chats, jobs, payments and receipts may still have them, so they're
 * read as the new code. docs/error-codes.md lists them.
 */
export const formerCodes: Readonly<Record<string, ErrorCode>> = {}
