import type { Model } from '../../../shared/model.ts'
import { makerOf } from '../../../shared/model-maker.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './maker-mark.module.css'

/** The colors of makers, in the order of their numbers. */
const tones = [styles.first, styles.second, styles.third, styles.fourth] as const

interface MakerMarkProps {
  model: Pick<Model, 'id' | 'name' | 'provider'>
}

/**
 * The initials of a model's maker, in a color of theirs. Screen readers get the name of the model, which is next to it. A
 * maker's own logo isn't shown, because most licenses don't allow it.
 */
export function MakerMark({ model }: MakerMarkProps) {
  const { name, initials, tone } = makerOf(model)
  return (
    <span
      className={classNames(styles.mark, tones[tone - 1])}
      data-initials={initials}
      title={name}
      aria-hidden
    />
  )
}
