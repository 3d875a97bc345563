(function () {
  var root = document.documentElement;
  var read = function (key) {
    try {
      return JSON.parse(localStorage.getItem(key) || '{}') || {};
    } catch (e) {
      return {};
    }
  };
  var look = read('meridian.appearance');
  var light = look.theme === 'light' || (look.theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  root.dataset.theme = light ? 'light' : 'dark';
  root.dataset.updown = look.updown || 'green-red';
  var language = read('meridian.language');
  if (language.tag) root.lang = language.tag;
  if (/^#?\/?(pages\/index\/index)?$/.test(location.hash)) root.dataset.shell = 'home';
  var file = __LANGUAGES__[language.code || ''];
  if (file) {
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.appendChild(link);
  }
})();
