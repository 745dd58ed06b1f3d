import { z } from 'zod'
import { teamRoles, type TeamRole } from '../../shared/contract/team.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Database } from '../database.ts'
import { hashOfToken } from './sessions.ts'

const rowSchema = z.object({ id: z.string(), role: z.enum(teamRoles), group_id: z.string().nullable() })

/**
 * The authenticated caller of the admin page's API. Only `fromSession` constructs one, so a request without a session can't
 * reach a procedure. It belongs to one request: the next one reads the role again.
 */
export class TeamCaller {
  /** Distinguishes a constructed caller from an object of the same shape, at run time too. */
  readonly #authenticated = true
  readonly memberId: string
  readonly role: TeamRole
  readonly groupId: string | null

  private constructor({ id, role, group_id }: z.output<typeof rowSchema>) {
    this.memberId = id
    this.role = role
    this.groupId = group_id
  }

  /**
   * Reads the session of a token, and its member.
   * @returns null if the session has ended, or if there is none
   * @throws {SottoError} database/…
   */
  static async fromSession(
    database: Pick<Database, 'query'>,
    token: string | undefined,
  ): Promise<TeamCaller | null> {
    const hash = token === undefined ? null : hashOfToken(token)
    if (!hash) return null
    const [row] = await database.query(
      rowSchema,
      `SELECT team_members.id, role, group_id FROM team_sessions JOIN team_members ON team_members.id = member_id
       WHERE token_hash = $1 AND expires_at > clock_timestamp() AND removed_at IS NULL`,
      [hash],
    )
    return row ? new TeamCaller(row) : null
  }

  static isAuthenticated(value: unknown): value is TeamCaller {
    return typeof value === 'object' && value !== null && #authenticated in value
  }

  /**
   * Limits a member to what is theirs.
   * @param memberId the member whose data was requested; undefined for everyone's
   * @returns the member whose data may be used; undefined for everyone's
   * @throws {SottoError} team/forbidden
   */
  scope(memberId: string | undefined): string | undefined {
    if (this.role !== 'member') return memberId
    if (memberId !== undefined && memberId !== this.memberId) throw new SottoError('team/forbidden')
    return this.memberId
  }
}
