import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './segments.module.css'

/**
 * A row of buttons, of which at most one is pressed. Unlike a radio group, an arrow key changes nothing, so each
 * choice is a press. Use it if choosing has an effect, such as a request to the service.
 */
export function Segments<Id extends string>({
  label,
  options,
  chosen,
  onPress,
  className,
}: {
  label: string
  options: readonly { readonly id: Id; readonly name: ReactNode }[]
  chosen: Id | undefined
  onPress: (id: Id) => void
  className?: string | undefined
}) {
  return (
    <div className={classNames(styles.segments, className)} role="group" aria-label={label}>
      {options.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className={styles.segment}
          aria-pressed={id === chosen}
          onClick={() => onPress(id)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
