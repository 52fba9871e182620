/** Lower-case words joined by hyphens, at most 64 characters. */
export const TEMPLATE_NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;
