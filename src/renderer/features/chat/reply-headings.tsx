import { createContext, useContext, type ComponentProps } from 'react'
import type { Components } from 'hast-util-to-jsx-runtime'

/** Also without a space, as ./mark-source.ts reads it. */
const HEADING = /^ {0,3}(#{1,6})(?:\s|$|(?<=##)[\p{L}\p{N}])/u
/** Levels in the page. The title of the chat is the level above. */
const tags = ['h2', 'h3', 'h4'] as const

/** How many levels the headings of a reply move up. */
const HeadingShift = createContext(0)
export const WithHeadingShift = HeadingShift.Provider

/**
 * Returns how far headings move up, so that the first one follows the title of the chat directly: 1 for a reply that
 * begins its headings with `###`. It doesn't change while the reply grows, because only the first heading counts.
 */
export function headingShift(settled: readonly string[], tail: string): number {
  const first = settled.find((block) => HEADING.test(block)) ?? tail
  const marks = HEADING.exec(first)?.[1] ?? ''
  return Math.max(0, Math.min(marks.length, 4) - 2)
}

type HeadingProps = Pick<ComponentProps<'h2'>, 'children' | 'dir'>

/** A heading that looks as written. `data-level` is its level in the text, at most 4, also for copying. */
function headingOf(written: 1 | 2 | 3 | 4) {
  return function Heading({ children, dir }: HeadingProps) {
    const Tag = tags[Math.max(0, written - 2 - useContext(HeadingShift))] ?? 'h2'
    return (
      <Tag data-level={written} dir={dir}>
        {children}
      </Tag>
    )
  }
}

const deepest = headingOf(4)

export const headings: Pick<Components, 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6'> = {
  h1: headingOf(1),
  h2: headingOf(2),
  h3: headingOf(3),
  h4: deepest,
  h5: deepest,
  h6: deepest,
}
