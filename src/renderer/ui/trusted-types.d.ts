/**
 * The part of Trusted Types that the window uses; undefined in browsers from before 2026. A TrustedScriptURL is declared as the string that
 * it stands for, because TypeScript's `Worker` takes nothing else.
 *
 * @see https://www.w3.org/TR/trusted-types/
 */
// eslint-disable-next-line no-var -- of global declarations, only a var is a property of globalThis
declare var trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { readonly createScriptURL: (address: string) => string },
      ): { createScriptURL(address: string): string }
    }
  | undefined
