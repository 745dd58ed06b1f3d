import { describe, expect, it } from 'vitest'
import { errorHeaders } from '../../../../src/core/gateway/proxy/errors.ts'
import type { ErrorCode } from '../../../../src/shared/error-codes.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

/** `x-should-retry`, which both official SDKs follow. */
const retryOf = (code: ErrorCode): string | undefined => errorHeaders(new SottoError(code))['x-should-retry']

describe('the header about retries', () => {
  it.each<ErrorCode>([
    'attestation/failed',
    'attestation/evidence-too-large',
    // The same failures of the service's own enclave.
    'relay/unverified',
    'vault/locked',
    'store/damaged',
    'budget/exceeded',
  ])('asks for no retry after %s, which a person must repair first', (code) =>
    expect(retryOf(code)).toBe('false'),
  )
  it.each<ErrorCode>(['service/unavailable', 'service/timeout', 'relay/unreachable'])(
    'leaves a retry to the client after %s',
    (code) => expect(retryOf(code)).toBeUndefined(),
  )
})
