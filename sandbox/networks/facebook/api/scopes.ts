/** Permissions that can be asked for. Those of groups have been invalid since 2024-04-22. */
export const SCOPES: Readonly<Record<string, string>> = {
  public_profile: 'Receive your name',
  pages_show_list: 'See a list of the Pages you manage',
  pages_manage_posts: 'Create and manage content on your Page',
  pages_read_engagement: 'Read content posted on the Page',
};
