import type { JSX as ReactJsx } from 'react/jsx-runtime'

/** hast-util-to-jsx-runtime takes the types of elements from a global namespace, which React no longer declares. */
declare global {
  namespace JSX {
    type ElementClass = ReactJsx.ElementClass
    type Element = ReactJsx.Element
    type IntrinsicElements = ReactJsx.IntrinsicElements
  }
}
