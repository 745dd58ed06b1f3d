import { plural, t } from '@lingui/core/macro'
import type { KeyLimitsText } from '../../../shared/key-limits.ts'
import { formatSentence } from '../../ui/format/list.ts'
import { limitWords } from '../../ui/keys/key-words.ts'
import type { Session } from '../team-answers.ts'
import styles from '../team-lists.module.css'

/** What a member may still create. */
export interface SelfService {
  /** How many keys more. */
  readonly left: number
  readonly most: number
  /** The widest limits that a key may have. */
  readonly limits: KeyLimitsText
}

/**
 * Only a hint: the replica decides.
 * @returns undefined if only an admin creates keys
 */
export function selfServiceOf({ group, countedKeys }: Session): SelfService | undefined {
  const service = group?.selfService
  if (!service) return undefined
  const { keysPerMember: most, limits } = service
  return { left: Math.max(0, most - countedKeys), most, limits }
}

/** States before a member creates a key how many they may create, and with which limits. */
export function SelfServiceNote({ service }: { service: SelfService | undefined }) {
  if (!service) return <p className={styles.quiet}>{t`Ask an admin if you need a key.`}</p>
  const { left, most, limits } = service
  const ceiling = limitWords(limits, undefined)
  return (
    <div className={styles.quiet}>
      <p>
        {left > 0
          ? plural(left, { one: 'You can create # more key.', other: 'You can create # more keys.' })
          : plural(most, {
              one: 'You can have # key. After use, a revoked key counts until its budget starts again.',
              other: 'You can have # keys. After use, a revoked key counts until its budget starts again.',
            })}
      </p>
      {left > 0 && ceiling.length > 0 && (
        <p>{t`Your keys can have these limits or stricter ones: ${formatSentence(ceiling)}`}</p>
      )}
    </div>
  )
}
