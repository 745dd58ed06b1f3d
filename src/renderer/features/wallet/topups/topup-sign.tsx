import {
  CircleAlert,
  CircleCheckBig,
  CircleDotDashed,
  CircleEllipsis,
  CirclePause,
  CircleQuestionMark,
  CircleX,
  Hourglass,
  TimerOff,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import type { TopupStatus } from '../../../../shared/topup-status.ts'
import styles from './topup-sign.module.css'
import { statusText } from './topup-status.ts'

const signs: Readonly<Record<TopupStatus, LucideIcon>> = {
  waiting: Hourglass,
  'part-paid': CircleEllipsis,
  paying: CircleDotDashed,
  held: CirclePause,
  'payment-unknown': CircleQuestionMark,
  'payment-closed': CircleQuestionMark,
  sent: CircleDotDashed,
  processing: CircleDotDashed,
  settled: CircleCheckBig,
  overpaid: CircleAlert,
  'run-out': TimerOff,
  expired: TimerOff,
  'part-paid-ended': CircleAlert,
  'paid-late': CircleAlert,
  refunded: Undo2,
  replaced: CircleX,
  invalid: CircleX,
  'not-as-asked': CircleX,
  unknown: CircleQuestionMark,
}

/** The state of a top-up, as an icon and text. The colors of privacy aren’t used here. */
export function TopupSign({ status }: { status: TopupStatus }) {
  const Sign = signs[status]
  return (
    <span className={styles.sign} data-standing={status}>
      <Sign size={15} strokeWidth={1.9} aria-hidden />
      {statusText[status].name}
    </span>
  )
}
