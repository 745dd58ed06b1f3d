import { CircleCheckBig, CircleDotDashed, CirclePause, CircleQuestionMark, CircleX, Hourglass, TimerOff, type LucideIcon } from 'lucide-react'
import styles from './topup-sign.module.css'
import { standingWords, type TopupStanding } from './topup-standing.ts'

const signs: Readonly<Record<TopupStanding, LucideIcon>> = {
  waiting: Hourglass,
  paying: CircleDotDashed,
  held: CirclePause,
  'payment-unknown': CircleQuestionMark,
  sent: CircleDotDashed,
  processing: CircleDotDashed,
  settled: CircleCheckBig,
  'run-out': TimerOff,
  expired: TimerOff,
  invalid: CircleX,
  'not-as-asked': CircleX,
  unknown: CircleQuestionMark,
}

/** What became of a topup, as a shape and a word. The privacy accents have no part in it. */
export function TopupSign({ standing }: { standing: TopupStanding }) {
  const Sign = signs[standing]
  return <span className={styles.sign} data-standing={standing}><Sign size={15} strokeWidth={1.9} aria-hidden />{standingWords[standing].name}</span>
}
