import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'

/** A SQLSTATE of PostgreSQL (appendix A of its manual). None begins with E, unlike EPIPE of the system. */
const pgErrorSchema = z.object({ code: z.string().regex(/^(?!E)[0-9A-Z]{5}$/) })

/**
 * Classes and codes after which the same statement may succeed: connections, resources, shutdown, canceled or
 * timed-out statements, a deadlock, and a server that is read-only during a failover.
 */
const RETRYABLE = ['08', '53', '57', '40', '55P03', '25006']
/** Classes of a wrong user, password or database, and of missing permissions. */
const REFUSED = ['28', '3D', '42501']

/**
 * Converts an error of the driver. The driver's error isn't attached, because it can contain values of a row.
 * @param thrown anything that the driver threw
 */
export function databaseFailure(thrown: unknown): SottoError {
  if (thrown instanceof SottoError) return thrown
  if (thrown instanceof z.ZodError) return new SottoError('database/damaged')
  const code = pgErrorSchema.safeParse(thrown).data?.code
  // Without a SQLSTATE, the server didn't answer: refused, reset or timed-out connections.
  if (code === undefined || isOf(RETRYABLE, code)) return new SottoError('database/unreachable')
  if (isOf(REFUSED, code)) return new SottoError('database/refused')
  return new SottoError('database/failed', { toolDetail: `SQLSTATE ${code}.` })
}

function isOf(list: readonly string[], code: string): boolean {
  return list.some((start) => code.startsWith(start))
}
