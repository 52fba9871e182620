/** Every scope that the app may ask for, with its text on the consent page. */
export const SCOPES: Readonly<Record<string, string>> = {
  openid: 'Use your name and photo to sign you in.',
  profile: 'Use your name and photo.',
  email: 'Use the primary email address of your LinkedIn account.',
  w_member_social: 'Create, modify, and delete posts, comments, and reactions on your behalf.',
  r_basicprofile: 'Use your basic profile including your name, photo, headline, and public profile URL.',
  w_organization_social:
    "Create, modify, and delete posts, comments, and reactions on your organization's behalf.",
  r_organization_social:
    "Retrieve your organization's posts, comments, reactions, and other engagement data.",
  rw_organization_admin: 'Manage your organizations’ pages and retrieve reporting data.',
};
