/** The features whose public entry and published views each feature may use, transitive ones included. */
module.exports = {
  brands: [],
  contacts: [],
  integrations: ['brands'],
  media: ['brands'],
  posts: ['integrations', 'media', 'brands'],
  'content-ops': ['posts', 'integrations', 'media', 'brands'],
  widget: ['content-ops', 'posts', 'integrations', 'media', 'brands'],
  ai: ['posts', 'integrations', 'media', 'brands'],
  pipelines: ['contacts'],
};
